package viewer

import (
	"math"
	"slices"
)

// spreadBins is the number of bars of a histogram.
const spreadBins = 48

// spread is the distribution of a zone's times over the frames in which it ran, ms.
type spread struct {
	sorted   []float32
	bins     [spreadBins]int
	most     int // greatest number in a bin
	frames   int // number of frames, also those in which the zone did not run
	min, max float32
	mean     float32
	sigma    float32 // standard deviation
}

// statistic is a number with its name.
type statistic struct {
	name  string
	value float32
}

// first returns the statistics that matter most.
func (s *spread) first() [6]statistic {
	return [...]statistic{
		{"min", s.min}, {"mean", s.mean}, {"p50", s.quantile(0.5)},
		{"p90", s.quantile(0.9)}, {"p99", s.quantile(0.99)}, {"max", s.max},
	}
}

// further returns the other statistics.
func (s *spread) further() [6]statistic {
	return [...]statistic{
		{"σ", s.sigma}, {"p10", s.quantile(0.1)}, {"p25", s.quantile(0.25)},
		{"p75", s.quantile(0.75)}, {"p95", s.quantile(0.95)}, {"p99.9", s.quantile(0.999)},
	}
}

// take reads a history. In a frame whose value is not above 0 the zone did not run.
func (s *spread) take(history []float32) {
	s.sorted, s.frames, s.bins = s.sorted[:0], len(history), [spreadBins]int{}
	s.min, s.max, s.mean, s.sigma, s.most = 0, 0, 0, 0, 0
	var sum float64
	for _, v := range history {
		if v > 0 && finite(v) {
			s.sorted = append(s.sorted, v)
			sum += float64(v)
		}
	}
	if len(s.sorted) == 0 {
		return
	}
	slices.Sort(s.sorted)
	s.min, s.max = s.sorted[0], s.sorted[len(s.sorted)-1]
	s.mean = float32(sum / float64(len(s.sorted)))
	var square float64
	for _, v := range s.sorted {
		square += float64(v-s.mean) * float64(v-s.mean)
		b := s.bin(v)
		s.bins[b]++
		s.most = max(s.most, s.bins[b])
	}
	s.sigma = float32(math.Sqrt(square / float64(len(s.sorted))))
}

// bin returns the bar of a value.
func (s *spread) bin(v float32) int {
	if !(s.max > s.min) {
		return 0
	}
	return min(max(int((v-s.min)/(s.max-s.min)*spreadBins), 0), spreadBins-1)
}

// quantile returns the least value that a share q of all values does not exceed, by nearest rank. It returns 0 if there
// are no values.
func (s *spread) quantile(q float64) float32 {
	n := len(s.sorted)
	if n == 0 {
		return 0
	}
	rank := int(q * float64(n))
	if float64(rank) < q*float64(n) {
		rank++
	}
	return s.sorted[min(max(rank-1, 0), n-1)]
}
