//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/marks"
	"example.com/iprof/gather/internal/source"
)

// states has the states that no frame has yet.
var states marks.Pending[LaneState]

// AddState adds a state that has ended to the frame under way. Package wait calls it. Beyond MostStates a frame drops
// it. While recording is off nothing is added. Any goroutine may call it. It waits only for other calls, and for the
// end of a frame.
func AddState(s LaneState) {
	if !Recording() || s.End <= s.Begin {
		return
	}
	s.Reason, s.Place, s.By, s.At = source.Cut(s.Reason), source.Cut(s.Place), source.Cut(s.By), source.Cut(s.At)
	states.Add(MostStates, func() LaneState { return s })
}
