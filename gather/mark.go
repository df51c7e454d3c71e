//go:build !iprof_off

package gather

import (
	"slices"

	"example.com/iprof/gather/internal/marks"
	"example.com/iprof/gather/internal/source"
	"example.com/iprof/platform"
)

var pending marks.Pending[MarkInfo]

// Mark puts a mark with a text on the time line: see MarkInfo. The text is copied, and cut to 1,024 bytes. A frame has
// at most MostMarks marks; the later ones are dropped and counted in Dropped.Marks. While recording is off there are no
// marks. Any goroutine may call it, with or without a lane. It waits only for other calls of Mark, and for the end of a
// frame to take the marks over. Cost: BenchmarkMark.
func Mark(text string) {
	if !Recording() {
		return
	}
	lane := OwnLane()
	pending.Add(MostMarks, func() MarkInfo { return MarkInfo{platform.Now(), lane, CopyName(text)} })
}

// reportMarks gives the frame the states, and the marks before its end. With move, the next frame has those after it.
func reportMarks(f *Frame, move bool) {
	f.States, f.Dropped.States = states.AppendTo(f.States[:0], func(*LaneState) bool { return true }, move)
	f.Marks, f.Dropped.Marks = pending.AppendTo(f.Marks[:0], func(m *MarkInfo) bool { return m.Time <= f.End }, move)
}

// Underway returns the number of the frame under way, and the names of the calling goroutine's open zones, outermost
// first. Without a lane there are none. Any goroutine may call it. It allocates.
func Underway() (frame uint64, zoneNames []string) {
	if l := laneFor(false); l != nil {
		l.mu.Lock()
		for n := l.at(); n != nil && n.parent != nil; n = n.parent {
			zoneNames = append(zoneNames, zones.Info(l.seen[n.idx].zone).Name)
		}
		l.mu.Unlock()
		slices.Reverse(zoneNames)
	}
	return registry.updates.frames.Load(), zoneNames
}

// states has the states that no frame has yet.
var states marks.Pending[LaneState]

// AddState adds a state that has ended to the frame under way. Package wait calls it. Beyond MostStates a frame drops
// it, which Dropped.States counts. While recording is off nothing is added. Any goroutine may call it. It waits only
// for other calls, and for the end of a frame.
func AddState(s LaneState) {
	if !Recording() || s.End <= s.Begin {
		return
	}
	s.Reason, s.Place, s.By, s.At = source.Cut(s.Reason), source.Cut(s.Place), source.Cut(s.By), source.Cut(s.At)
	states.Add(MostStates, func() LaneState { return s })
}
