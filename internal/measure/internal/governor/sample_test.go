package governor

import (
	"math"
	"testing"
)

func TestSampleFadesByFrames(t *testing.T) {
	var s Sample
	s.Start(7)
	if got := s.Latest(); got.Mean() != 7 || got.Bursts != 0 || got.Variance(3, 21) != 441 {
		t.Errorf("at the start: got mean %v, variance %v; want 7, 441", got.Mean(), got.Variance(3, 21))
	}
	for range 50 {
		s.Add(100, 10)
		s.Add(0, 0)
		s.EndFrame()
	}
	if s.Start(7); math.Abs(s.Latest().Mean()-10) > 1e-3 {
		t.Errorf("got mean %v; want 10, as the start has faded", s.Latest().Mean())
	}
	s.Add(300, 10)
	if got, want := s.Latest().Mean(), (0.8*5*100+300)/(0.8*5*10+10); math.Abs(got-want) > 1e-3 {
		t.Errorf("within the next frame: got mean %v; want %v", got, want)
	}
	before := s.Latest()
	if s.EndFrame(); s.Latest() != before {
		t.Errorf("after that frame: got %v; want %v", s.Latest(), before)
	}
}

func TestVarianceGrowsWithTheScatterAndWithFewBursts(t *testing.T) {
	var steady, scattered, few Sample
	for _, s := range []*Sample{&steady, &scattered, &few} {
		s.Start(10)
	}
	for i := range 32 {
		steady.Add(100, 10)
		scattered.Add(float64(50+100*(i%2)), 10)
	}
	for i := range 4 {
		few.Add(float64(50+100*(i%2)), 10)
	}
	a, b, c := steady.Latest().Variance(1000, 0), scattered.Latest().Variance(1000, 0), few.Latest().Variance(1000, 0)
	if a > 1 || b < 1000 || c < 4*b {
		t.Errorf("steady, scattered, few: got %v, %v, %v; want none, some, more", a, b, c)
	}
}

// After a long phase of the program the estimate follows the next phase within some frames, whatever number of bursts
// the long one had.
func TestEstimatesFollowANewPhase(t *testing.T) {
	var s Sample
	frame := func(bursts int, ticks float64) {
		for range bursts {
			s.Add(ticks, 1)
		}
		s.EndFrame()
	}
	for range 100 {
		frame(1000, 100)
	}
	for range 3 {
		frame(10, 200)
	}
	if got := s.Latest().Mean(); got < 180 {
		t.Errorf("got %.0f ticks an entry; want about 200, as in the last frames", got)
	}
}
