package changes_test

import (
	"math/rand/v2"
	"testing"

	"example.com/iprof/internal/changes"
)

// Of two samples of one distribution, fewer than one in a thousand seem to differ; of clearly different ones, all do.
func TestNoiseIsBeyondChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sample := func(mean float64) (s changes.Sample) {
		var values []float64
		for range 200 {
			values = append(values, mean+r.NormFloat64())
			s.Mean += values[len(values)-1] / 200
		}
		for _, v := range values {
			s.Deviation += (v - s.Mean) * (v - s.Mean) / 199
		}
		s.Frames, s.Deviation = 200, 1
		return s
	}
	wrong := 0
	for range 2000 {
		a, b := sample(10), sample(10)
		if changes.Judge(a.Mean, b.Mean, changes.Noise(a, b), 0) != "same" {
			wrong++
		}
		b = sample(11)
		if got := changes.Judge(a.Mean, b.Mean, changes.Noise(a, b), 5); got != "slower" {
			t.Fatalf("10 %% more: got %s", got)
		}
		if got := changes.Judge(b.Mean, a.Mean, changes.Noise(a, b), 5); got != "faster" {
			t.Fatalf("10 %% less: got %s", got)
		}
	}
	if wrong > 2 {
		t.Errorf("%d of 2000 equal pairs seem to differ", wrong)
	}
	for _, c := range [][3]float64{{1, 1.04, 5}, {0, 0.009, 5}} {
		if got := changes.Judge(c[0], c[1], 0, c[2]); got != "same" {
			t.Errorf("%v: got %s; want same", c, got)
		}
	}
}
