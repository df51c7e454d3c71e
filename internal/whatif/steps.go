package whatif

import (
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// clip leaves what is between the first and the last border.
func (l *Lane) clip(begin, end platform.Ticks) {
	from := sort.Search(len(l.States), func(i int) bool { return l.States[i].End > begin })
	to := max(from, sort.Search(len(l.States), func(i int) bool { return l.States[i].Begin >= end }))
	l.States = l.States[from:to:to]
	if len(l.States) > 0 && l.States[0].Begin < begin {
		l.States = append([]gather.LaneState(nil), l.States...)
		l.States[0].Begin = begin
	}
	from = sort.Search(len(l.Stretches), func(i int) bool { return l.Stretches[i].End > begin })
	to = max(from, sort.Search(len(l.Stretches), func(i int) bool { return l.Stretches[i].Begin >= end }))
	l.Stretches = l.Stretches[from:to:to]
}

// awake returns the time nearest to at in which the goroutine did not wait. The clocks of the trace and of the zones
// may differ by a microsecond.
func (l *Lane) awake(at platform.Ticks) platform.Ticks {
	i := sort.Search(len(l.States), func(i int) bool { return l.States[i].End > at })
	if i == len(l.States) || l.States[i].Begin > at {
		return at
	}
	q := &l.States[i]
	switch {
	case q.Kind != gather.StateWaiting && q.Kind != gather.StateRunnable:
		return at
	case at-q.Begin < q.End-at:
		return q.Begin
	}
	return q.End
}

// made reports whether a state is the first of a goroutine. A lane may have one goroutine after another.
func (l *Lane) made(state int) bool {
	q := &l.States[state]
	return q.Kind == gather.StateRunnable && (state == 0 || q.Waker != 0)
}

// pathAt returns the path in which the lane was at a moment; 0 is none.
func (l *Lane) pathAt(at platform.Ticks) int32 {
	i := sort.Search(len(l.Stretches), func(i int) bool { return l.Stretches[i].End > at })
	if i == len(l.Stretches) || l.Stretches[i].Begin > at {
		return 0
	}
	return l.Stretches[i].Path
}

// firstIn returns the first moment from from to to in which the lane may have been in one of some paths, or to. Between
// two stretches it may have been in a path around both for no time.
func (l *Lane) firstIn(paths map[int32]bool, from, to platform.Ticks) platform.Ticks {
	i := sort.Search(len(l.Stretches), func(i int) bool { return l.Stretches[i].End > from })
	if i == len(l.Stretches) || l.Stretches[i].Begin > from || paths[l.Stretches[i].Path] {
		return from
	}
	return min(l.Stretches[i].End, to)
}

// writer makes the steps of a lane.
type writer struct {
	*compiler
	cuts      []cut
	stretches []Stretch
	steps     []step
}

// lane makes the steps of a lane from its states, its stretches and its cuts.
func (c *compiler) lane(i int) {
	l := &c.in.Lanes[i]
	w := &writer{compiler: c, cuts: c.cuts[i], stretches: l.Stretches}
	end := c.in.Borders[c.frames]
	switch {
	case l.Device:
		for k := range l.Stretches {
			q := &l.Stretches[k]
			w.emit(rest, q.Begin, min(q.End, end))
		}
	case len(l.States) > 0:
		at := l.States[0].Begin
		if at > c.begin && l.States[0].Kind != gather.StateRunnable {
			w.steps = append(w.steps, step{kind: moment, at: at})
		}
		for k := range l.States {
			q := &l.States[k]
			if q.Begin > at && !l.made(k) {
				w.emit(work, at, q.Begin) // states that were left out
			}
			w.state(q, min(q.End, end))
			at = max(at, q.End)
		}
	}
	w.until(end + 1)
	c.lanes[i].steps = w.steps
}

// state makes the steps of a state.
func (w *writer) state(q *gather.LaneState, end platform.Ticks) {
	switch q.Kind {
	case gather.StateWaiting, gather.StateRunnable:
		w.until(end)
	case gather.StateSyscall:
		w.emit(rest, q.Begin, end)
	default:
		w.emit(work, q.Begin, end)
	}
}

// until adds the cuts before a moment.
func (w *writer) until(at platform.Ticks) {
	for len(w.cuts) > 0 && w.cuts[0].at < at {
		w.steps = append(w.steps, w.cuts[0].step)
		w.cuts = w.cuts[1:]
	}
}

// emit adds work or rest from begin to end, with the cuts between.
func (w *writer) emit(kind stepKind, begin, end platform.Ticks) {
	for {
		w.until(begin + 1)
		if begin >= end {
			return
		}
		next := end
		if len(w.cuts) > 0 && w.cuts[0].at < end {
			next = w.cuts[0].at
		}
		w.add(kind, begin, next)
		begin = next
	}
}

// add adds work or rest with its parts by path. A chosen wait in a system call is a pause.
func (w *writer) add(kind stepKind, begin, end platform.Ticks) {
	first, began := int32(len(w.parts)), begin
	for begin < end {
		for len(w.stretches) > 0 && w.stretches[0].End <= begin {
			w.stretches = w.stretches[1:]
		}
		path, next := int32(0), end
		idle := false
		if len(w.stretches) > 0 {
			q := &w.stretches[0]
			if next = min(end, q.Begin); q.Begin <= begin {
				next, path, idle = min(end, q.End), q.Path, q.Idle && kind == rest
			}
		}
		if idle {
			first, began = w.flush(kind, first, began), next
			w.steps = append(w.steps, step{kind: pause, at: next, length: next - begin})
		} else {
			w.parts = append(w.parts, part{path, next - begin})
		}
		begin = next
	}
	w.flush(kind, first, began)
}

// flush adds a step of the parts from first on, which began at a time. It returns the number of parts.
func (w *writer) flush(kind stepKind, first int32, began platform.Ticks) int32 {
	to := int32(len(w.parts))
	if to > first {
		w.steps = append(w.steps, step{kind: kind, from: first, to: to, at: began})
	}
	return to
}
