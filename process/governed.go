package process

import (
	"fmt"

	"example.com/iprof/gather"
)

// costFraction is the parts of a tick that Frame.ScopeCost is in.
const costFraction = 1024

// laneCost is what measuring took in a lane's part of a frame with so many entries, ms.
func laneCost(f *gather.Frame, l *gather.LaneFrame, entries uint64) float64 {
	scope, count := f.CostsOn(l)
	timed := entries - min(l.Untimed+l.Muted, entries)
	cost := float64(timed)*float64(scope) + float64(l.Untimed)*float64(count) + float64(l.Muted)*float64(f.MuteCost)
	return cost / costFraction * 1000 / rateOf(f)
}

// missedLimit says that measuring takes more than the overhead limit; the text is made anew only when its numbers change.
func (s *Session) missedLimit(i *FrameInfo) string {
	at := [2]int{int(s.limit * 1000), int(i.Overhead * 1000)}
	if r := &s.rows; r.missedOf != at || r.missed == "" {
		r.missedOf = at
		r.missed = fmt.Sprintf("limit %.3g %% missed: measuring costs %.1f %% of the frame", s.limit*100, i.Overhead*100)
	}
	return s.rows.missed
}
