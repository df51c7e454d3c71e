//go:build !iprof_off

package gather

import (
	"math"
	"sync/atomic"

	"example.com/iprof/platform"
)

// comparison is what timing an entry adds to counting it: how much longer runs of timed entries last than the counted runs right
// before and after them. The lane's goroutine writes it, the reader reads it.
//
// It is the slope of a line through the origin, fitted to the runs' timed pairs and differences by weighted least squares: where
// the two counted runs are alike, what lies between them is alike, too. The error is that of the residuals (White, Econometrica
// 48, 1980), since the weights are only guesses.
type comparison struct {
	usual float64 // ticks that a run takes: half of them take longer
	sums  [comparisons]uint64
}

// The sums, float64 bits, fading: x is the pairs, d the difference, w the weight.
const (
	sumRuns = iota
	sumXX   // w x²
	sumXD   // w x d
	sumWXD  // w² x² d²
	sumWX3D // w² x³ d
	sumWX4  // w² x⁴
	comparisons
)

// Comparing runs.
const (
	mostUsual  = 4             // times as long as they usually are one of them may last, else something came between
	usualStep  = 1.125         // by which what is usual follows
	fadingRuns = 1 - 1.0/65536 // what is left of a run's weight with the next
	fewRuns    = 8             // say nothing yet
	alike      = 1.0 / 32      // of what they usually last: to be closer than that is chance
)

// add adds a run of timed pairs, and the counted ones beside it.
//
//go:norace
func (c *comparison) add(pairs uint64, timed, before, after platform.Ticks) {
	long := float64(max(timed, before, after))
	if c.usual == 0 {
		c.usual = long
	}
	far := long > mostUsual*c.usual
	if c.usual /= usualStep; long > c.usual {
		c.usual *= usualStep * usualStep
	}
	if far || pairs == 0 || c.usual <= 0 {
		return
	}
	x, d := float64(pairs), float64(timed)-float64(before+after)/2
	apart, least := float64(before-after), alike*c.usual
	w := 1 / (apart*apart + least*least)
	for i, v := range [comparisons]float64{1, w * x * x, w * x * d, w * w * x * x * d * d, w * w * x * x * x * d, w * w * x * x * x * x} {
		publishFloat(&c.sums[i], loadFloat(&c.sums[i])*fadingRuns+v)
	}
}

// estimate is how many ticks longer a pair takes, where before any was compared that was believed to be some, give or take a
// deviation: each counts as much as it is sure.
func (c *comparison) estimate(believed, deviation float64) float64 {
	var s [comparisons]float64
	for i := range s {
		s[i] = loadFloat(&c.sums[i])
	}
	if s[sumRuns] < fewRuns || s[sumXX] <= 0 {
		return believed
	}
	slope := s[sumXD] / s[sumXX]
	variance := max(s[sumWXD]-2*slope*s[sumWX3D]+slope*slope*s[sumWX4], 0) / (s[sumXX] * s[sumXX])
	if doubt := deviation * deviation; variance+doubt > 0 {
		return (believed*variance + slope*doubt) / (variance + doubt)
	}
	return slope
}

//go:norace
func publishFloat(p *uint64, v float64) { publish(p, math.Float64bits(v)) }

func loadFloat(p *uint64) float64 { return math.Float64frombits(atomic.LoadUint64(p)) }
