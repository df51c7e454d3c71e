//go:build !iprof_off

package gather

import (
	"math"
	"sync/atomic"

	"example.com/iprof/platform"
)

// comparison is how much longer an entry takes in runs that are measured one way than in runs of as many right beside them that are
// measured another way. The lane's goroutine writes it, the reader reads it: the sums are float64 bits, fading.
type comparison struct {
	usual                float64 // ticks that an entry takes: half of them take longer
	pairs, more, squares uint64
}

// Comparing runs.
const (
	mostUsual   = 4             // times as long as they usually are one of a pair may last, else something came between
	usualStep   = 1.125         // by which what is usual follows
	fadingPairs = 1 - 1.0/65536 // what is left of a pair's weight with the next
	fewPairs    = 8             // say nothing yet
)

// add adds two runs of so many entries.
//
//go:norace
func (c *comparison) add(dear, cheap platform.Ticks, entries uint32) {
	long := float64(max(dear, cheap)) / float64(entries)
	if c.usual == 0 {
		c.usual = long
	}
	far := long > mostUsual*c.usual
	if c.usual /= usualStep; long > c.usual {
		c.usual *= usualStep * usualStep
	}
	if far {
		return
	}
	d := float64(dear-cheap) / float64(entries)
	publishFloat(&c.more, loadFloat(&c.more)*fadingPairs+d)
	publishFloat(&c.squares, loadFloat(&c.squares)*fadingPairs+d*d)
	publishFloat(&c.pairs, loadFloat(&c.pairs)*fadingPairs+1)
}

// estimate is how many ticks longer an entry takes, where before any was compared that was believed to be some, give or take a
// deviation: each counts as much as it is sure.
func (c *comparison) estimate(believed, deviation float64) float64 {
	if loadFloat(&c.pairs) < fewPairs {
		return believed
	}
	mean, variance := c.mean()
	if doubt := deviation * deviation; variance+doubt > 0 {
		return (believed*variance + mean*doubt) / (variance + doubt)
	}
	return mean
}

// mean is how many ticks longer an entry took, and how far that may be off, squared.
func (c *comparison) mean() (ticks, variance float64) {
	pairs := max(loadFloat(&c.pairs), 1)
	ticks = loadFloat(&c.more) / pairs
	return ticks, max(loadFloat(&c.squares)/pairs-ticks*ticks, 0) / pairs
}

//go:norace
func publishFloat(p *uint64, v float64) { publish(p, math.Float64bits(v)) }

func loadFloat(p *uint64) float64 { return math.Float64frombits(atomic.LoadUint64(p)) }
