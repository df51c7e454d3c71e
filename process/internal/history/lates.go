package history

import (
	"slices"
	"sort"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// LateStates are the states that AddStates brought, on their way to the sinks. Their frames have ended, so they go with
// the next frames: see Session.AddStates.
type LateStates struct {
	list   []gather.LaneState // by their beginnings
	until  platform.Ticks     // end of earlier calls; states before were handed out
	frame  gather.Frame       // scratch: the frame for sinks
	states []gather.LaneState // scratch, of frame
}

// mostLate bounds the states that wait for frames. The oldest are forgotten first.
const mostLate = 2 * report.MaxStates

// stateTrack is a set of states that do not overlap: a lane, or a kind of state of the whole program.
type stateTrack struct {
	lane report.LaneID
	kind gather.StateKind // 0 with a lane
}

func trackOf(q *gather.LaneState) stateTrack {
	if q.Lane == 0 {
		return stateTrack{kind: q.Kind}
	}
	return stateTrack{lane: q.Lane}
}

// add adds the parts of new states that no sink has. It leaves out the time of earlier calls, and the states in had,
// which came with their frames. Both lists are sorted by beginnings.
func (l *LateStates) add(list, had []gather.LaneState, end platform.Ticks) {
	known := map[stateTrack][]gather.LaneState{}
	for _, q := range had {
		known[trackOf(&q)] = append(known[trackOf(&q)], q)
	}
	for _, q := range list {
		q.Begin = max(q.Begin, l.until)
		others := known[trackOf(&q)]
		for len(others) > 0 && others[0].End <= q.Begin { // before all states that follow, too
			others = others[1:]
		}
		known[trackOf(&q)] = others
		l.list = appendWithout(l.list, q, others)
	}
	l.until = max(l.until, end)
	if n := len(l.list) - mostLate; n > 0 {
		l.list = slices.Delete(l.list, 0, n)
	}
}

// appendWithout appends a state without the time of other states of its track, which are sorted by beginnings. Only the
// last part has the goroutine that ended it.
func appendWithout(dst []gather.LaneState, q gather.LaneState, others []gather.LaneState) []gather.LaneState {
	for i := range others {
		o := &others[i]
		if o.Begin >= q.End {
			break
		}
		if o.End <= q.Begin || trackOf(o) != trackOf(&q) {
			continue
		}
		if o.Begin > q.Begin {
			dst = append(dst, unfinished(q, o.Begin))
		}
		q.Begin = o.End
	}
	if q.Begin < q.End {
		dst = append(dst, q)
	}
	return dst
}

// rest returns the states of a frame without the time that an execution trace has already covered.
func (l *LateStates) rest(f *gather.Frame, known *States) (list []gather.LaneState, changed bool) {
	told := func(q gather.LaneState) bool { return q.Begin < l.until }
	if !slices.ContainsFunc(f.States, told) {
		return f.States, false
	}
	var others []gather.LaneState
	for _, q := range f.States {
		if others = others[:0]; told(q) {
			known.Each(q.Begin, q.End, func(o *gather.LaneState) { others = append(others, *o) })
		}
		list = appendWithout(list, q, others)
	}
	return list, true
}

// With returns the frame for sinks, with late states if there are any. A frame carries only a part of many states, so
// that encoding them in a sink takes little time in each frame.
func (l *LateStates) With(f *gather.Frame, known *States) *gather.Frame {
	own, changed := l.rest(f, known)
	n := min(len(l.list), measure.MaxStates)
	if n == 0 && !changed {
		return f
	}
	l.states = append(append(l.states[:0], own...), l.list[:n]...)
	l.frame = *f
	l.frame.States = l.states
	if l.list = l.list[n:]; len(l.list) == 0 {
		l.list = nil
	}
	return &l.frame
}

// TakeBefore adds the states of a frame that begin before a time, and reports whether there are any.
func (l *States) TakeBefore(f *gather.Frame, end platform.Ticks) bool {
	before := len(l.List)
	for i := range f.States {
		if f.States[i].Begin < end {
			l.add(&f.States[i])
		}
	}
	if len(l.List) == before {
		return false
	}
	l.settle()
	return true
}

// cloneState returns a copy of a state that shares no memory with it, and has a valid kind.
func cloneState(q *gather.LaneState) gather.LaneState {
	k := *q
	k.Kind = min(k.Kind, gather.StateGone)
	k.Reason, k.Place = strings.Clone(k.Reason), strings.Clone(k.Place)
	k.By, k.At = strings.Clone(k.By), strings.Clone(k.At)
	return k
}

// Bring adds states of frames that have ended: see Session.AddStates.
func (l *LateStates) Bring(known *States, begin, end platform.Ticks, list []gather.LaneState) {
	had := known.cut(begin, end)
	before := len(known.List)
	for i := range list {
		known.add(&list[i])
	}
	added := known.List[before:]
	sort.Stable(statesByBegin(added))
	l.add(added, had, end)
	known.settle()
}

// cut removes a stretch of time from the states, and returns the removed parts.
func (l *States) cut(begin, end platform.Ticks) (out []gather.LaneState) {
	var rest []gather.LaneState // behind it
	kept := l.List[:0]
	for _, q := range l.List {
		if q.Begin >= end || q.End <= begin {
			kept = append(kept, q)
			continue
		}
		if q.End > end {
			rest = append(rest, q)
			rest[len(rest)-1].Begin = end
			q = unfinished(q, end)
		}
		if q.Begin < begin {
			kept = append(kept, unfinished(q, begin))
			q.Begin = begin
		}
		out = append(out, q)
	}
	clear(l.List[len(kept):])
	l.List = append(kept, rest...)
	return out
}

// unfinished returns the part of a state before a time, without the data of its end.
func unfinished(q gather.LaneState, end platform.Ticks) gather.LaneState {
	q.End = end
	q.Waker = 0
	q.By = ""
	q.At = ""
	return q
}

// Drop drops the states that wait for frames.
func (l *LateStates) Drop() { l.list = nil }
