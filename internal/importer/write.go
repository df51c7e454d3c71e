package importer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// errEmpty returns the error for a file with nothing to show. It describes the file's contents.
func (t *Trace) errEmpty() error {
	if len(t.left)+len(t.marks)+len(t.values) == 0 {
		return errors.New("it is empty: there is nothing to show")
	}
	has := slices.Clone(t.left)
	has.add("marks", len(t.marks))
	has.add("values of counters", len(t.values))
	return fmt.Errorf("it has %v, and no slices: there is nothing to show", has)
}

// Write writes the frames to a sink, and gives take the events of each frame first. It marks the lane with the most
// slices as the one that ends frames.
func (t *Trace) Write(o Frames, take func(*Trace), to func(*gather.Frame) error) (frames int, err error) {
	t.pairAll()
	if t.slices == 0 && len(t.states) == 0 {
		err := t.errEmpty()
		if t.Words != "" {
			err = fmt.Errorf("%w; %s", err, t.Words)
		}
		return 0, cmp.Or(t.over, err)
	}
	borders, err := t.borders(o)
	if err != nil {
		return 0, err
	}
	most := t.arrange()
	f := gather.Frame{TicksPerSecond: 1e9, Zones: t.zones, Counters: t.counters}
	if t.Long > 0 {
		f.Misuse.Notes = []string{"left out " + counted(int(t.Long), "slices of over 192 years")}
	}
	for i := range len(borders) - 1 {
		last := i == len(borders)-2
		f.Index, f.Begin, f.End = uint64(i), platform.Ticks(borders[i]), platform.Ticks(borders[i+1])
		f.Lanes = f.Lanes[:0]
		for k, l := range t.lanes {
			if l.idle(borders[i+1], last) && l != most && !t.exported {
				continue
			}
			before := len(l.nodes)
			nodes := l.frame(borders[i], borders[i+1], last)
			t.hold(nodeSize * (len(l.nodes) - before))
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(k + 1), Name: l.name, Updater: l == most,
				Goroutine: l.number, Begin: f.Begin, End: f.End, Nodes: nodes})
		}
		t.fill(&f, last)
		take(t)
		if err := cmp.Or(t.over, to(&f), t.account.Late()); err != nil {
			return i, err
		}
	}
	return len(borders) - 1, nil
}

// arrange sorts the lanes and all data for frames, and returns the lane with the most slices.
func (t *Trace) arrange() (most *lane) {
	before := slices.Clone(t.lanes)
	t.nameLanes()
	var all []*lane
	for _, l := range t.lanes {
		all = append(append(all, l), t.order(l)...)
	}
	t.lanes = all
	t.renumber(before)
	t.giveStates()
	t.giveArrivals()
	for _, l := range t.lanes {
		l.walker.start()
		if most == nil || len(l.steps) > len(most.steps) {
			most = l
		}
	}
	// One machine for the three: a browser loads a generic one for each type.
	sort.SliceStable(t.states, func(a, b int) bool { return t.states[a].End < t.states[b].End })
	sort.SliceStable(t.marks, func(a, b int) bool { return t.marks[a].at < t.marks[b].at })
	sort.SliceStable(t.values, func(a, b int) bool { return t.values[a].at < t.values[b].at })
	t.leaveOutside()
	return most
}

// renumber gives the states the new numbers of their lanes.
func (t *Trace) renumber(before []*lane) {
	ids := map[*lane]gather.LaneID{}
	for i, l := range t.lanes {
		ids[l] = gather.LaneID(i + 1)
		l.id = gather.LaneID(i + 1)
	}
	now := func(id gather.LaneID) gather.LaneID {
		if id < 1 || int(id) > len(before) {
			return 0
		}
		return ids[before[id-1]]
	}
	for i := range t.states {
		s := &t.states[i]
		s.Lane, s.Waker = now(s.Lane), now(s.Waker)
	}
}

// leaveOutside leaves out marks and values outside all frames. A value before the first frame applies to it.
func (t *Trace) leaveOutside() {
	marks, values := len(t.marks), len(t.values)
	t.marks = slices.DeleteFunc(t.marks, func(m mark) bool { return m.at < t.begin || m.at > t.end })
	t.values = slices.DeleteFunc(t.values, func(v value) bool { return v.at > t.end })
	t.leave(leftOutside, marks-len(t.marks)+values-len(t.values))
}

// fill gives a frame the states, marks and values until its end.
func (t *Trace) fill(f *gather.Frame, last bool) {
	f.States = t.statesUntil(f.End, last)
	if more := len(f.States) - measure.MaxStates; more > 0 {
		f.States = f.States[:measure.MaxStates]
		t.dropped.States += uint64(more)
		t.leave(leftStates, more)
	}
	f.Marks = f.Marks[:0]
	n := 0
	for ; n < len(t.marks) && (t.marks[n].at < int64(f.End) || last); n++ {
		if len(f.Marks) == measure.MaxMarks {
			t.dropped.Marks++
			t.leave(leftMarks, 1)
			continue
		}
		m := gather.MarkInfo{Time: platform.Ticks(t.marks[n].at), Text: t.marks[n].text}
		if t.marks[n].lane != nil {
			m.Lane = t.marks[n].lane.id
		}
		f.Marks = append(f.Marks, m)
	}
	t.marks = t.marks[n:]
	for n = 0; n < len(t.values) && (t.values[n].at < int64(f.End) || last); n++ {
		t.latest[t.values[n].counter] = t.values[n].value
	}
	t.values = t.values[n:]
	f.Values = f.Values[:0]
	for id := range t.counters {
		if v, set := t.latest[int32(id)]; set {
			f.Values = append(f.Values, gather.CounterValue{Counter: int32(id), Value: v})
		}
	}
	if t.exported { // values of our own counts apply to one frame
		clear(t.latest)
	}
	f.Dropped = t.dropped
}

// statesUntil removes and returns the states that end in the frame that ends at end.
func (t *Trace) statesUntil(end platform.Ticks, last bool) []gather.LaneState {
	n := 0
	for n < len(t.states) && (t.states[n].End <= end || last) {
		n++
	}
	ended := t.states[:n]
	t.states = t.states[n:]
	return ended
}
