package importer

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/platform"
)

// Trace is what was read of a file.
type Trace struct {
	Skipped    int  // events that are no slices: counters, flows, marks, ends without a begin, begins without an end
	Cut        int  // slices that end after the slice around them, and were cut
	Long       int  // slices of over 192 years, which were cut
	Unfinished bool // the file has no end

	account *budget.Account
	over    error // what the account does not allow
	slices  int
	lanes   []*lane
	byKey   map[string]*lane
	zones   []gather.ZoneInfo
	ids     map[string]gather.ZoneID
	begin   int64
	end     int64
	events  bool // each slice is one call
	ours    bool // package export wrote the file
	states  []gather.LaneState
	found   []foundState
}

// slice is a zone on a lane, in nanoseconds.
type slice struct {
	zone       gather.ZoneID
	begin, end int64
	calls      uint32
}

type lane struct {
	name   string
	number uint64 // of its goroutine, 0 if it is not known
	slices []slice
	open   []slice // begun by an event of kind B
	steps  []step
	walker
}

// The sizes of what is held, in bytes, as they were measured in the memory of a process: slices as they are and as
// steps, with room for more; nodes, names and lanes with their places in tables.
const (
	sliceSize = 200
	nodeSize  = 200
	zoneSize  = 300
	laneSize  = 600
	stateSize = 400
)

// New returns a trace without slices: see Add. The account, which may be nil, says how much it may hold.
func New(account *budget.Account) *Trace {
	t := &Trace{account: account, byKey: map[string]*lane{}, ids: map[string]gather.ZoneID{}, events: true}
	t.zone("(root)")
	return t
}

// hold counts bytes that the trace holds from now on.
func (t *Trace) hold(bytes int) {
	if err := t.account.Hold(int64(bytes)); err != nil && t.over == nil {
		t.over = err
	}
}

// Add adds one call of a zone on a thread, in nanoseconds. The error is the account's.
func (t *Trace) Add(thread, zone string, begin, end int64) error {
	t.slice(t.laneOf(thread, thread), slice{t.zone(zone), begin, max(begin, end), 1})
	return t.over
}

// Threads are the threads with slices.
func (t *Trace) Threads() (names []string) {
	for _, l := range t.lanes {
		names = append(names, l.name)
	}
	return names
}

// Goroutine says which goroutine a thread is, and returns the lane that it becomes, for AddState.
func (t *Trace) Goroutine(thread string, number uint64) gather.LaneID {
	l := t.laneOf(thread, thread)
	l.number = number
	return gather.LaneID(slices.Index(t.lanes, l) + 1)
}

// AddState adds a state of a lane, or of the whole program if the lane is 0, in nanoseconds. The error is the
// account's.
func (t *Trace) AddState(s gather.LaneState) error {
	t.states = append(t.states, s)
	t.hold(stateSize + len(s.Reason) + len(s.Place) + len(s.By) + len(s.At))
	return t.over
}

// statesUntil returns the states that end in the frame that ends then, and takes them away.
func (t *Trace) statesUntil(end platform.Ticks, last bool) []gather.LaneState {
	n := 0
	for n < len(t.states) && (t.states[n].End <= end || last) {
		n++
	}
	ended := t.states[:n]
	t.states = t.states[n:]
	return ended
}

func (t *Trace) zone(name string) gather.ZoneID {
	id, known := t.ids[name]
	if !known {
		id = gather.ZoneID(len(t.zones))
		t.ids[name] = id
		t.zones = append(t.zones, gather.ZoneInfo{Name: name})
		t.hold(zoneSize + len(name))
	}
	return id
}

func (t *Trace) lane(e *event) *lane {
	return t.laneOf(string(e.Pid)+" "+string(e.Tid), "thread "+string(e.Tid))
}

func (t *Trace) laneOf(key, name string) *lane {
	l := t.byKey[key]
	if l == nil {
		l = &lane{name: name}
		t.byKey[key] = l
		t.lanes = append(t.lanes, l)
		t.hold(laneSize + len(key) + len(name))
	}
	return l
}

func (t *Trace) slice(l *lane, s slice) {
	if t.slices == 0 {
		t.begin, t.end = s.begin, s.end
	}
	t.begin, t.end = min(t.begin, s.begin), max(t.end, s.end)
	t.slices++
	t.events = t.events && s.calls <= 1
	l.slices = append(l.slices, s)
	t.hold(sliceSize)
}

// step is the begin or the end of a slice.
type step struct {
	at    int64
	zone  gather.ZoneID
	calls uint32
	end   bool
}

// order makes the steps of a lane's slices. Slices nest: one that ends after the one around it is cut.
func (t *Trace) order(l *lane) {
	for _, s := range l.open { // without an end
		s.end = max(t.end, s.begin)
		l.slices = append(l.slices, s)
	}
	slices.SortStableFunc(l.slices, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end))
	})
	var stack []slice
	pop := func(until int64) {
		for n := len(stack); n > 0 && stack[n-1].end <= until; n-- {
			l.steps = append(l.steps, step{at: stack[n-1].end, zone: stack[n-1].zone, end: true})
			stack = stack[:n-1]
		}
	}
	for _, s := range l.slices {
		if s.zone == 0 { // our own files have the time outside zones as a slice
			continue
		}
		pop(s.begin)
		if len(stack) >= t.account.Depth() {
			t.Skipped++
			continue
		}
		if n := len(stack); n > 0 && s.end > stack[n-1].end {
			s.end = stack[n-1].end
			t.Cut++
		}
		l.steps = append(l.steps, step{s.begin, s.zone, s.calls, false})
		stack = append(stack, s)
	}
	pop(t.end)
	l.slices = nil
}

// Write writes the frames to a sink, and gives take the events of each frame first. It marks the lane with the most
// slices as the one that ends frames.
func (t *Trace) Write(o Frames, take func(*Trace), to func(*gather.Frame) error) (frames int, err error) {
	borders, err := t.borders(o)
	if err != nil {
		return 0, err
	}
	t.giveStates()
	most := 0
	for i, l := range t.lanes {
		t.order(l)
		l.walker.start()
		if len(l.steps) > len(t.lanes[most].steps) {
			most = i
		}
	}
	slices.SortFunc(t.states, func(a, b gather.LaneState) int { return cmp.Compare(a.End, b.End) })
	f := gather.Frame{TicksPerSecond: 1e9, Zones: t.zones}
	if t.Long > 0 {
		f.Misuse.Notes = []string{fmt.Sprintf("%d slices of over 192 years were cut", t.Long)}
	}
	for i := range len(borders) - 1 {
		f.Index, f.Begin, f.End = uint64(i), platform.Ticks(borders[i]), platform.Ticks(borders[i+1])
		f.Lanes = f.Lanes[:0]
		for k, l := range t.lanes {
			before := len(l.nodes)
			nodes := l.frame(borders[i], borders[i+1], i == len(borders)-2)
			t.hold(nodeSize * (len(l.nodes) - before))
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(k + 1), Name: l.name, Updater: k == most,
				Goroutine: l.number, Begin: f.Begin, End: f.End, Nodes: nodes})
		}
		f.States = t.statesUntil(f.End, i == len(borders)-2)
		take(t)
		if err := cmp.Or(t.over, to(&f), t.account.Late()); err != nil {
			return i, err
		}
	}
	return len(borders) - 1, nil
}
