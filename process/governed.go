package process

import (
	"fmt"

	"example.com/iprof/gather"
)

// costFraction is the number of units of Frame.ScopeCost in a tick.
const costFraction = 1024

// laneCost is the overhead of a lane's entries in a frame, in ms. Slow paths are timed where they happen; the rest is
// the number of pairs by the cost of one.
func laneCost(f *gather.Frame, l *gather.LaneFrame, entries uint64) float64 {
	scope, count := f.CostsOn(l)
	timed := entries - min(l.Untimed, entries)
	cost := float64(timed)*float64(scope) + float64(l.Untimed)*float64(count)
	return (cost/costFraction + float64(l.Slow)) * 1000 / rateOf(f)
}

// missedLimit is the warning about overhead above its limit. Its text changes only with its numbers, so that a report
// does not allocate.
func (s *Session) missedLimit(i *FrameInfo) string {
	at := [2]int{int(s.limit * 1000), int(i.Overhead * 1000)}
	if r := &s.rows; r.missedOf != at || r.missed == "" {
		r.missedOf = at
		r.missed = fmt.Sprintf("limit %.3g %% missed: measuring costs %.1f %% of the frame",
			s.limit*100, i.Overhead*100)
	}
	return s.rows.missed
}
