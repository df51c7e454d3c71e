package export

import (
	"cmp"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// stateTarget is a target that has states of lanes. The states of a track are in order and do not overlap.
type stateTarget interface {
	state(on track, title string, q *gather.LaneState, begin, end int64)
	wake(number uint64, q *gather.LaneState, at int64)
}

// track is where states are drawn: beside a lane, or, of the whole program (lane 0), on a track of their kind.
type track struct {
	lane gather.LaneID
	kind gather.StateKind // 0 with a lane
}

// name is the name of a track of states.
func (t track) name() string {
	if t.lane != 0 {
		return "states"
	}
	return t.kind.String()
}

// states writes the states that a frame brings, of the lanes that the file knows. What is before the file's first frame
// or in another state is cut. A wait that a known lane ended is a wake of its own.
func (x *Frames) states(f *gather.Frame) {
	to, has := x.target.(stateTarget)
	if !has || len(f.States) == 0 {
		return
	}
	if len(x.stateEnds) > mostLanes || x.stateEnds == nil {
		x.stateEnds = map[track]int64{}
	}
	x.state = append(x.state[:0], f.States...)
	slices.SortStableFunc(x.state, func(a, b gather.LaneState) int { return cmp.Compare(a.Begin, b.Begin) })
	for i := range x.state {
		q := &x.state[i]
		on := track{lane: q.Lane}
		if q.Lane == 0 {
			on.kind = min(q.Kind, gather.StateGone)
		} else if !x.knows(q.Lane) {
			continue
		}
		begin, end := max(x.at(f, q.Begin), x.stateEnds[on]), x.at(f, q.End)
		if end <= begin {
			continue
		}
		x.stateEnds[on] = end
		to.state(on, (&process.TimelineStretch{LaneState: *q}).Title(), q, begin, end)
		if q.Kind == gather.StateWaiting && q.Lane != 0 && q.Waker != q.Lane && q.Waker != 0 && x.knows(q.Waker) {
			x.wakes++
			to.wake(x.wakes, q, end)
		}
	}
}

func (x *Frames) knows(lane gather.LaneID) bool {
	_, known := x.ends[lane]
	return known
}

// stateNotes calls add with what is known of a state.
func stateNotes(q *gather.LaneState, add func(name, text string)) {
	for _, n := range [...][2]string{{"at", q.Place}, {"ended by", q.By}, {"ended at", q.At}} {
		if n[1] != "" {
			add(n[0], n[1])
		}
	}
}
