package process

import (
	"math"
	"slices"
)

// SpreadBars is the number of bars of a histogram.
const SpreadBars = 48

// Spread is the distribution of a zone's times over the frames in which it ran. Times are in ms. One goroutine may use
// it at a time.
type Spread struct {
	Sorted    []float32 // of the frames in which the zone ran
	Frames    int       // number of frames, also those in which it did not run
	Mean      float32
	Deviation float32         // standard deviation
	Bars      [SpreadBars]int // number of frames by time: see Bar
	Most      int             // greatest number in Bars
}

// Take reads a history, such as Around.History. In a frame whose value is not above 0 the zone did not run. It reuses
// the memory of Sorted.
func (s *Spread) Take(history []float32) {
	*s = Spread{Sorted: s.Sorted[:0], Frames: len(history)}
	sum := 0.0
	for _, v := range history {
		if v > 0 && v-v == 0 {
			s.Sorted = append(s.Sorted, v)
			sum += float64(v)
		}
	}
	if len(s.Sorted) == 0 {
		return
	}
	slices.Sort(s.Sorted)
	s.Mean = float32(sum / float64(len(s.Sorted)))
	squares := 0.0
	for _, v := range s.Sorted {
		squares += float64(v-s.Mean) * float64(v-s.Mean)
		b := s.Bar(v)
		s.Bars[b]++
		s.Most = max(s.Most, s.Bars[b])
	}
	s.Deviation = float32(math.Sqrt(squares / float64(len(s.Sorted))))
}

// Bar returns the index in Bars of a time. All bars are equally wide, from the least time to the greatest.
func (s *Spread) Bar(ms float32) int {
	least, greatest := s.Quantile(0), s.Quantile(1)
	if !(greatest > least) {
		return 0
	}
	return min(max(int((ms-least)/(greatest-least)*SpreadBars), 0), SpreadBars-1)
}

// Quantile returns the least time that a share q of all times does not exceed, by nearest rank. 0 is the least, 1 the
// greatest. It returns 0 if there are no times.
func (s *Spread) Quantile(q float64) float32 {
	n := len(s.Sorted)
	if n == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(n)))
	return s.Sorted[min(max(rank-1, 0), n-1)]
}
