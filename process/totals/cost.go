package totals

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// CostFraction is the number of units of Frame.ScopeCost in a tick.
const CostFraction = 1024

// LaneCost returns the time that measuring took on a lane in a frame, in ms. entries is the number of entries on the
// lane.
func LaneCost(f *gather.Frame, l *gather.LaneFrame, entries uint64) float64 {
	scope, count := f.CostsOn(l)
	untimed := min(l.Untimed, entries)
	cost := float64(entries-untimed)*float64(scope) + float64(untimed)*float64(count)
	return (cost/CostFraction + float64(l.Slow)) * 1000 / history.RateOf(f)
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
