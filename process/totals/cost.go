package totals

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// CostFraction is the number of units of Frame.ScopeCost in a tick.
const CostFraction = 1024

// LaneCost returns what measuring took on a lane in a frame, in ms. entries is their number on the lane.
func LaneCost(f *gather.Frame, l *gather.LaneFrame, entries uint64) float64 {
	scope, count := f.CostsOn(l)
	untimed := min(l.Untimed, entries)
	cost := float64(entries-untimed)*float64(scope) + (float64(untimed)+mutedMore(f, l))*float64(count)
	return (cost/CostFraction + float64(l.Slow)) * 1000 / history.RateOf(f)
}

// What an entry of a muted zone takes, as a share of a counted one: of a Zone, and of a place with a name
// (BenchmarkBegin/case=muted and case=muted-named).
const (
	mutedZone  = 0.35
	mutedPlace = 1.5
)

// mutedMore returns how many counted entries the muted entries of a lane take more than their number, or less.
func mutedMore(f *gather.Frame, l *gather.LaneFrame) (more float64) {
	if l.Untimed == 0 {
		return 0
	}
	for i := range l.Nodes {
		if n := &l.Nodes[i]; n.Estimated == gather.EstimatedCount && int(n.Zone) < len(f.Zones) {
			share := mutedPlace
			if f.Zones[n.Zone].Public {
				share = mutedZone
			}
			more += (share - 1) * float64(n.Count)
		}
	}
	return more
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
