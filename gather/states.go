//go:build !iprof_off

package gather

import (
	"sync"

	"example.com/iprof/gather/internal/source"
)

// states has the states that no frame has yet.
var states struct {
	sync.Mutex
	list []LaneState // at most MostStates
}

// AddState adds a state that has ended to the frame under way. Package wait calls it. Beyond MostStates a frame drops
// it. While recording is off nothing is added. Any goroutine may call it. It waits only for other calls, and for the
// end of a frame.
func AddState(s LaneState) {
	if !Recording() || s.End <= s.Begin {
		return
	}
	s.Reason, s.Place = source.Cut(s.Reason), source.Cut(s.Place)
	s.By, s.At = source.Cut(s.By), source.Cut(s.At)
	states.Lock()
	defer states.Unlock()
	if len(states.list) < MostStates {
		states.list = append(states.list, s)
	}
}

// reportStates gives the frame the states. With move, the next frame has none of them.
func reportStates(f *Frame, move bool) {
	states.Lock()
	defer states.Unlock()
	f.States = append(f.States[:0], states.list...)
	if move {
		clear(states.list)
		states.list = states.list[:0]
	}
}
