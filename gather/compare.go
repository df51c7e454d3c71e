//go:build !iprof_off

package gather

import (
	"math"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// block is a number of entries in a row.
type block struct {
	took  platform.Ticks
	pairs uint64 // in it, of all demoted nodes
}

// comparison is how much longer some blocks last than those beside them where less was measured, for each time that more was. The
// lane's goroutine writes it, the reader reads it.
//
// It is the ratio of the sums of the blocks' differences and of these times (Cochran, Sampling Techniques, section 6.3). Of the
// differences that is taken out which goes with the blocks' numbers of pairs: these differ by chance, and are known. To trust
// blocks more that are alike would scatter less, too, and be wrong: there the program does one thing, and the processor hides
// less of the clock than it does elsewhere.
type comparison struct {
	usual float64 // ticks that a block takes: half of them take longer
	sums  [comparisons]atomic.Uint64
}

// The sums, float64 bits, fading: x is how many times more was measured, d how much longer that took, e how many more pairs there were.
const (
	sumBlocks = iota
	sumX
	sumD
	sumE
	sumXX
	sumXD
	sumXE
	sumDD
	sumDE
	sumEE
	comparisons
)

// Comparing blocks.
const (
	mostUsual    = 4            // times as long as they usually are one of them may last, else something came between
	usualStep    = 1.125        // by which what is usual follows
	fadingBlocks = 1 - 1.0/1024 // what is left of a block's weight with the next: what else the machine does changes within seconds
	fewBlocks    = 32           // say nothing yet
)

// add adds a block in which more was measured, so many times, and the one beside it.
//
//go:norace
func (c *comparison) add(more, less block, times float64) {
	long := float64(max(more.took, less.took))
	if c.usual <= 0 { // at first, or when the clock went back meanwhile
		c.usual = long
	}
	far := long > mostUsual*c.usual
	if c.usual /= usualStep; long > c.usual {
		c.usual *= usualStep * usualStep
	}
	if far || times == 0 || c.usual <= 0 {
		return
	}
	x, d := times, float64(more.took-less.took)
	e := float64(more.pairs) - float64(less.pairs)
	for i, v := range [comparisons]float64{1, x, d, e, x * x, x * d, x * e, d * d, d * e, e * e} {
		publishFloat(&c.sums[i], loadFloat(&c.sums[i])*fadingBlocks+v)
	}
}

// forget begins anew.
//
//go:norace
func (c *comparison) forget() {
	c.usual = 0
	for i := range c.sums {
		publishFloat(&c.sums[i], 0)
	}
}

// estimate is how many ticks that takes, where before any were compared it was believed to be some, give or take a deviation: each
// counts as much as it is sure. And it is the variance of that.
func (c *comparison) estimate(believed, deviation float64) (ticks, variance float64) {
	var s [comparisons]float64
	for i := range s {
		s[i] = loadFloat(&c.sums[i])
	}
	doubt := deviation * deviation
	if s[sumBlocks] < fewBlocks || s[sumX] <= 0 {
		return believed, doubt
	}
	found, each := s[sumD]/s[sumX], 0.0
	if s[sumEE] > 0 {
		each = (s[sumDE] - found*s[sumXE]) / s[sumEE]
		found = (s[sumD] - each*s[sumE]) / s[sumX]
	}
	off := s[sumDD] + found*found*s[sumXX] + each*each*s[sumEE] - 2*found*s[sumXD] - 2*each*s[sumDE] + 2*found*each*s[sumXE]
	variance = max(off, 0) / (s[sumX] * s[sumX])
	if variance+doubt > 0 {
		return (believed*variance + found*doubt) / (variance + doubt), variance * doubt / (variance + doubt)
	}
	return found, 0
}

// weight is how many pairs of blocks it remembers.
func (c *comparison) weight() float64 { return loadFloat(&c.sums[sumBlocks]) }

// publishFloat writes without the atomic exchange that Store is.
//
//go:norace
func publishFloat(p *atomic.Uint64, v float64) {
	publish((*uint64)(unsafe.Pointer(p)), math.Float64bits(v))
}

func loadFloat(p *atomic.Uint64) float64 { return math.Float64frombits(p.Load()) }
