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
