package totals

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// CostFraction is the number of units of Frame.ScopeCost in a tick.
const CostFraction = 1024

// Cost is the time that measuring took, in ms.
type Cost struct {
	Entries float64 // the number of entries times their calibrated or compared cost
	Slow    float64 // slow paths, starts of goroutines, first entries of stacks and Updates, timed where they happen
}

// The true cost as shares of the reported one: least and greatest in the programs of bench/overhead, on amd64, which
// prints them. Where a processor reads the clock in parallel with other work, an entry costs less than in the loop of
// the calibration. After other work, an entry's memory is in no cache, and it costs more.
const (
	minEntries, maxEntries = 0.35, 2.0
	minSlow, maxSlow       = 0.6, 1.8
)

// LaneCost returns the time that measuring took on a lane in a frame. entries is the number of entries on the lane.
func LaneCost(f *gather.Frame, l *gather.LaneFrame, entries uint64) Cost {
	scope, count := f.CostsOn(l)
	untimed := min(l.Untimed, entries)
	cost := float64(entries-untimed)*float64(scope) + float64(untimed)*float64(count)
	perTick := 1000 / history.RateOf(f)
	return Cost{cost / CostFraction * perTick, float64(l.Slow) * perTick}
}

// MS returns the whole time.
func (c Cost) MS() float64 { return c.Entries + c.Slow }

// Plus returns the sum.
func (c Cost) Plus(o Cost) Cost { return Cost{c.Entries + o.Entries, c.Slow + o.Slow} }

// Range returns an interval for the true time. high is 0 if it is not known: there are entries whose cost was never
// calibrated, as with a clock of the program's own.
func (c Cost) Range(entries bool) (low, high float64) {
	low = minEntries*max(c.Entries, 0) + minSlow*max(c.Slow, 0)
	if c.Entries > 0 || !entries {
		high = maxEntries*max(c.Entries, 0) + maxSlow*max(c.Slow, 0)
	}
	return low, high
}

// overhead sets the overhead of a run.
func (d *Sums) overhead(c Cost) {
	called := false
	for i := range d.Totals {
		called = called || d.Totals[i].Count > 0
	}
	low, high := c.Range(called)
	duration := func(ms float64) time.Duration { return report.DurationOf(max(ms, 0) / 1000) }
	d.Overhead, d.OverheadLow, d.OverheadHigh = duration(c.MS()), duration(low), duration(high)
}

// EntriesOf returns the number of entries of a lane.
func EntriesOf(lane *gather.LaneFrame) (entries uint64) {
	for i := range lane.Nodes {
		entries += uint64(lane.Nodes[i].Count)
	}
	for i := range lane.Extras {
		entries += uint64(lane.Extras[i].More) << 32
	}
	return entries
}
