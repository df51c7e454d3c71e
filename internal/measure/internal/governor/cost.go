package governor

import (
	"math"

	"example.com/iprof/platform"
)

// Cost is the cost of measuring an entry, in ticks. The zero value means unknown.
type Cost struct {
	Pair    float64 // of a timed entry
	Inside  float64 // the part of Pair inside the entry's zone
	Counted float64 // of a counted entry
	Doubt   float64 // standard error of Pair less Counted
}

// minCost is the least cost in ticks, so that no cost is 0.
const minCost = 1.0 / Fraction

const (
	fewPairs    = 16 // with fewer pairs of blocks, the cost of timing is unknown
	mostInPlace = 4  // times the calibrated cost
)

// Cost returns the calibrated costs in ticks. The doubt is all of the cost.
func (c Calibration) Cost() Cost {
	pair := float64(c.Pair) / Fraction
	return Cost{pair, float64(c.Inside) / Fraction, float64(c.Counted) / Fraction, pair}
}

// InPlace returns the costs where the program runs, from calibrated ones and a comparison of timed with counted blocks.
// The comparison gives the cost of timing less that of counting. The cost of counting cannot be compared with anything,
// so it stays as calibrated. The larger the comparison's standard error, the nearer the result is to the calibrated
// cost: on a busy machine, blocks of goroutines that live for microseconds scatter by many times the cost.
func (c Cost) InPlace(compared Ratio) Cost {
	calibrated := max(c.Pair-c.Counted, minCost)
	more, doubt := calibrated, calibrated
	if compared.Bursts >= fewPairs {
		off := compared.Error() / calibrated
		trust := 1 / (1 + off*off)
		more += trust * (min(max(compared.Mean(), 0), mostInPlace*calibrated) - calibrated)
		doubt *= off * math.Sqrt(trust)
	}
	inside := c.Inside / max(c.Pair, minCost)
	c.Pair, c.Doubt = max(c.Counted+more, minCost), doubt
	c.Inside = inside * c.Pair
	return c
}

// Ticks converts ticks to 1/Fraction ticks.
func Ticks(ticks float64) platform.Ticks { return platform.Ticks(ticks * Fraction) }

// Mean is the mean cost of several kinds of entries.
type Mean struct{ entries, pair, counted float64 }

// Add adds entries of a cost.
func (m *Mean) Add(entries float64, c Cost) {
	m.entries, m.pair, m.counted = m.entries+entries, m.pair+entries*c.Pair, m.counted+entries*c.Counted
}

// Cost returns the mean, the zero Cost without entries. It has only Pair and Counted.
func (m *Mean) Cost() (c Cost) {
	if m.entries > 0 {
		c.Pair, c.Counted = m.pair/m.entries, m.counted/m.entries
	}
	return c
}
