package importer

import (
	"bytes"
	"slices"
	"sort"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// recording has a browser's data on its own recording: its start, and the begins of its frames.
type recording struct {
	started bool
	start   int64
	frames  map[string][]int64 // by the tree of layers that is drawn
}

// startsRecording is the name of the event with which a recording of DevTools begins. Events before it are left over
// from before.
const startsRecording = "TracingStartedInBrowser"

// note takes an instant that says something of the recording.
func (r *recording) note(e *event, at int64) {
	switch name := e.nameOf(); {
	case string(name) == startsRecording && !r.started:
		r.started, r.start = true, at
	case string(name) == "BeginFrame" && bytes.Contains(e.cat, []byte("devtools.timeline")):
		if tree := string(field(e.args, "layerTreeId")); len(r.frames) < mostTrees || r.frames[tree] != nil {
			if r.frames == nil {
				r.frames = map[string][]int64{}
			}
			r.frames[tree] = append(r.frames[tree], at)
		}
	}
}

// mostTrees bounds the number of trees of layers, because a file may have any number.
const mostTrees = 1000

// begins returns the begins of the frames of the tree with the most frames, nil if that has fewer than two.
func (r *recording) begins() (most []int64) {
	for _, each := range r.frames {
		if len(each) > len(most) || len(each) == len(most) && each[0] < most[0] {
			most = each
		}
	}
	if len(most) < 2 {
		return nil
	}
	return most
}

// leaveEarly leaves out what happened before the recording started, unless nothing else is there. Slices that were open
// then begin with it. open has the slices without an end by lane.
func (t *Trace) leaveEarly(open [][]int) {
	r := &t.recording
	if !r.started || t.slices == 0 {
		return
	}
	for i, l := range t.lanes {
		for _, at := range open[i] {
			if s := &l.slices[at]; s.begin < r.start {
				s.begin, s.end = r.start, r.start
			}
		}
	}
	t.keepFrom(r.start, leftEarly)
}

// keepFrom leaves out the slices, marks and states that end before a time, and cuts those that last longer. It leaves
// out nothing if no slice would be left.
func (t *Trace) keepFrom(from int64, why string) {
	if from <= t.begin || from >= t.end {
		return
	}
	for _, l := range t.lanes {
		for i := range l.slices {
			switch s := &l.slices[i]; {
			case s.begin >= from || s.zone == noZone:
			case s.end > from:
				s.begin = from
				t.changed.add(changedStart, 1)
			default:
				s.zone, l.strays = noZone, true
				t.slices--
				t.leave(why, 1)
			}
		}
	}
	t.begin = from
	t.keepRest(func(at int64) bool { return at >= from }, why)
	for i := range t.values {
		t.values[i].at = max(t.values[i].at, from)
	}
}

// keepUntil leaves out the slices, marks and states that begin after a time.
func (t *Trace) keepUntil(until int64, why string) {
	for _, l := range t.lanes {
		for i := range l.slices {
			if s := &l.slices[i]; s.begin >= until && s.zone != noZone {
				s.zone, l.strays = noZone, true
				t.slices--
				t.leave(why, 1)
			} else {
				s.end = min(s.end, until)
			}
		}
	}
	t.end = until
	t.keepRest(func(at int64) bool { return at <= until }, why)
}

// keepRest keeps the marks and states for which keep is true. States are cut.
func (t *Trace) keepRest(keep func(at int64) bool, why string) {
	marks := len(t.marks)
	t.marks = slices.DeleteFunc(t.marks, func(m mark) bool { return !keep(m.at) })
	t.leave(why, marks-len(t.marks))
	within := func(s *gather.LaneState) bool {
		s.Begin = min(max(s.Begin, platform.Ticks(t.begin)), platform.Ticks(t.end))
		s.End = min(max(s.End, platform.Ticks(t.begin)), platform.Ticks(t.end))
		return s.Begin < s.End
	}
	t.states = slices.DeleteFunc(t.states, func(s gather.LaneState) bool { return !within(&s) })
	for i := range t.states {
		within(&t.states[i])
	}
}

// byBegin returns all slices but the strays, in the order of their begins.
func (t *Trace) byBegin() (all []*slice) {
	for _, l := range t.lanes {
		for i := range l.slices {
			if l.slices[i].zone != noZone {
				all = append(all, &l.slices[i])
			}
		}
	}
	sort.SliceStable(all, func(i, k int) bool { return all[i].begin < all[k].begin })
	return all
}

// dropStrays removes the slices of noZone.
func (t *Trace) dropStrays() {
	for _, l := range t.lanes {
		if l.strays {
			l.slices = slices.DeleteFunc(l.slices, func(s slice) bool { return s.zone == noZone })
			l.strays = false
		}
	}
}

// A recording of a browser has an event at least every second or so. Its late strays are few, and further from the
// others than lateTimes the length of all these.
const (
	lateTimes = 4
	lateLeast = int64(time.Second)
)

// leaveLate leaves out the few slices of a recording of a browser that are long after all others.
func (t *Trace) leaveLate() {
	if !t.recording.started || t.slices == 0 {
		return
	}
	all := t.byBegin()
	few, until := max(len(all)/50, 1), t.begin
	for i, s := range all {
		if i > 0 && len(all)-i <= few && s.begin-until > max(lateLeast, lateTimes*(until-t.begin)) {
			t.keepUntil(until, leftStray)
			return
		}
		until = max(until, s.end)
	}
}

// cutToFrames leaves out what is before the first of the begins of frames, which averages of frames would have as a
// frame, and what is long after the last frame. last is the end of the last frame, if it has one. It returns the
// borders.
func (t *Trace) cutToFrames(begins []int64, last int64) []int64 {
	sort.Slice(begins, func(i, k int) bool { return begins[i] < begins[k] })
	begins = slices.Compact(begins)
	if n := len(begins); n > 1 {
		longest := int64(0)
		for i := range n - 1 {
			longest = max(longest, begins[i+1]-begins[i])
		}
		if last = max(last, begins[n-1]+longest); t.end-last > max(lateLeast, strayTimes*longest) {
			t.keepUntil(last, leftAfter)
		}
	}
	if len(begins) > 0 {
		t.keepFrom(begins[0], leftBefore)
	}
	t.dropStrays()
	return append(begins, t.begin, t.end)
}
