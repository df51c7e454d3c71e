package process_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/iprof/process/report"
)

func TestSpread(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		q      float64
		values []float32
		want   float32
		ran    int
		bar    int // of the last value
		mean   float32
		sigma  float32
	}{
		{0.5, []float32{3, 1, 2}, 2, 3, 24, 2, 0.8165},
		{0.9, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 9, 10, 47, 5.5, 2.8723},
		{0.99, []float32{0, nan, 5, 7}, 7, 2, 47, 6, 1},
		{0.5, []float32{4, 4, 4}, 4, 3, 0, 4, 0},
		{0.5, []float32{0, nan}, 0, 0, 0, 0, 0},
	} {
		t.Run(fmt.Sprint(c.q, c.values), func(t *testing.T) {
			var s report.Spread
			s.Take([]float32{1, 2}) // forgotten
			s.Take(c.values)
			got, ran, bar := s.Quantile(c.q), len(s.Sorted), s.Bar(c.values[len(c.values)-1])
			if got != c.want || ran != c.ran || bar != c.bar || s.Frames != len(c.values) {
				t.Errorf("got %v of %d of %d frames, last in bar %d; want %v, %d, %d, %d", got, ran, s.Frames, bar,
					c.want, c.ran, len(c.values), c.bar)
			}
			if s.Mean != c.mean || math.Abs(float64(s.Deviation-c.sigma)) > 1e-4 {
				t.Errorf("got mean %v, deviation %v; want %v, %v", s.Mean, s.Deviation, c.mean, c.sigma)
			}
		})
	}
}

func TestCallSpread(t *testing.T) {
	var s report.CallSpread
	s.Take([]report.CallBucket{
		{Low: 1, High: 1, Count: 6}, {Low: 10, High: 10, Count: 3}, {Low: 100, High: 100, Count: 1},
	})
	shortest, longest := s.Ends()
	if s.Count != 10 || s.Mean != 13.6 || shortest != 1 || longest != 100 || s.Most != 6 {
		t.Errorf("got %d calls, mean %v, from %v to %v, at most %d in a bar; want 10, 13.6, 1, 100, 6", s.Count, s.Mean,
			shortest, longest, s.Most)
	}
	if s.Bars[0] != 6 || s.Bars[report.SpreadBars/2] != 3 || s.Bars[report.SpreadBars-1] != 1 || s.Place(10) != 0.5 {
		t.Errorf("got bars %v; want one decade in each half", s.Bars)
	}
	for q, want := range map[float64]float64{0.5: 1, 0.9: 10, 0.99: 100} {
		if got := s.Quantile(q); got != want {
			t.Errorf("quantile %v: got %v; want %v", q, got, want)
		}
	}
	if s.Take(nil); s.Count != 0 || s.Mean != 0 || s.Quantile(0.5) != 0 || s.Place(1) != 0 {
		t.Errorf("without calls: got %+v; want zeros", s)
	}
}
