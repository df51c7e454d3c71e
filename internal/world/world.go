// Package world writes frames of invented programs for tests and pictures. A test says what happens in a frame, and
// takes reports, dumps and snapshots from a real session:
//
//	s := process.NewSession()
//	w := world.New(s)
//	for i := range 60 {
//		w.Count("shots", float64(i%7))
//		w.Mark(2.5, "door opened")
//		w.Write(
//			world.Lane("main",
//				world.Zone("simulate", 2, world.Zone("physics", 6.25).Times(8)),
//				world.Zone("present", 4).Idle()),
//			world.Lane("loader", world.Zone("read", 3)))
//	}
//	dump := s.Dump(report.DumpOptions{})
//
// Each number of ms is the self time of a zone in that frame, to the tick. The first lane ends the frames, which are as
// long as its zones together; the other lanes wait for the rest. The world's clock runs from frame to frame. What has
// no word here is set in World.Next.
//
// [NewGame] is a program for pictures and texts, which must not change: a game with spikes at known frames. [NewRandom]
// is another program for each seed, with planted faults, so that a verdict cannot be right by chance. Equal seeds give
// equal frames. Nothing reads a clock. Package sampledump has dumps of these programs.
package world

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// World writes one frame after another. Use it from one goroutine.
type World struct {
	// Next is the next frame, and after Frame or Write the one that was made. Numbers that are set stay from frame to
	// frame, but for the index and the times, which go on, and for values, marks and states.
	Next gather.Frame

	Length float64 // the least length of a frame, ms: the first lane's time outside zones is longer then

	session *process.Session
	zones   map[gather.ZoneInfo]gather.ZoneID
	nodes   map[path]gather.NodeID
	places  []place // by node
	lanes   map[string]gather.LaneID
	buffer  [][]gather.Node
	events  *events
	made    bool   // Next is a finished frame
	index   uint64 // its number, and when it ended; a caller may change those of Next
	now     platform.Ticks
	serial  uint64  // of it
	rest    []int32 // by lane: the node that takes the rest of the frame
}

// path is a zone below a node, or the root of a lane, whose number is negative.
type path struct {
	up   int64
	zone gather.ZoneID
}

// place is the index of a node in its lane, in the frame with a number.
type place struct {
	frame uint64
	at    int32
}

// New returns a world that writes into a session. Without one it only makes frames.
func New(s *process.Session) *World {
	w := &World{session: s, zones: map[gather.ZoneInfo]gather.ZoneID{}, nodes: map[path]gather.NodeID{},
		lanes: map[string]gather.LaneID{}}
	w.Next.TicksPerSecond = 1e9
	w.Next.Zones = []gather.ZoneInfo{{Name: "(root)"}}
	return w
}

// KeepEvents gives the session the beginning and the end of each entry, for its timeline.
func (w *World) KeepEvents() *World {
	w.events = new(events)
	w.session.SetSources(func(c *process.Sources) { c.Events = w.events })
	return w
}

// Ticks returns the whole ticks of a time in ms.
func (w *World) Ticks(ms float64) platform.Ticks {
	return platform.Ticks(ms*w.Next.TicksPerSecond/1000 + 1e-3) // 2.3 ms are 2,300,000 ns
}

// begin begins the next frame, if the one before is finished.
func (w *World) begin() {
	if f := &w.Next; w.made {
		w.made = false
		f.Index, f.Begin = w.index+1, w.now
		f.Values, f.Marks, f.States = nil, nil, nil
	}
}

// Count adds a count to the next frame, and Level sets a level.
func (w *World) Count(name string, value float64) { w.value(gather.CounterInfo{Name: name}, value) }

// Level sets a level in the next frame.
func (w *World) Level(name string, value float64) {
	w.value(gather.CounterInfo{Name: name, Level: true}, value)
}

func (w *World) value(of gather.CounterInfo, value float64) {
	w.begin()
	f, at := &w.Next, 0
	for at < len(f.Counters) && f.Counters[at] != of {
		at++
	}
	if at == len(f.Counters) {
		f.Counters = append(f.Counters, of)
	}
	f.Values = append(f.Values, gather.CounterValue{Counter: int32(at), Value: value})
}

// Mark puts a mark of the first lane some ms after the begin of the next frame.
func (w *World) Mark(ms float64, text string) {
	w.begin()
	w.Next.Marks = append(w.Next.Marks, gather.MarkInfo{Time: w.Next.Begin + w.Ticks(ms), Lane: 1, Text: text})
}

// Wait says that a lane's goroutine was in a state in a part of the next frame, in ms after its begin.
func (w *World) Wait(state gather.LaneState, from, to float64) {
	w.begin()
	state.Begin, state.End = w.Next.Begin+w.Ticks(from), w.Next.Begin+w.Ticks(to)
	w.Next.States = append(w.Next.States, state)
}

// Write makes the next frame and writes it into the session.
func (w *World) Write(lanes ...*Part) {
	if err := w.session.WriteFrame(w.Frame(lanes...)); err != nil {
		panic(err)
	}
}

// Frame makes the next frame without writing it. The result is valid until the next call.
func (w *World) Frame(lanes ...*Part) *gather.Frame {
	w.begin()
	w.made = true
	w.serial++
	f := &w.Next
	f.Lanes = make([]gather.LaneFrame, len(lanes))
	f.End = f.Begin
	for i, p := range lanes {
		w.fill(i, p)
		if i == 0 {
			f.End = max(f.Lanes[0].End, f.Begin+w.Ticks(w.Length))
		}
	}
	for i := range f.Lanes {
		l := &f.Lanes[i]
		l.Nodes[w.rest[i]].Self += max(0, f.End-l.End)
		l.End = f.End
	}
	w.index, w.now = f.Index, f.End
	if w.events != nil {
		w.events.keep(f)
	}
	return f
}

// fill makes a lane of the frame. Its end is that of its zones.
func (w *World) fill(at int, p *Part) {
	if at == len(w.buffer) {
		w.buffer, w.rest = append(w.buffer, nil), append(w.rest, 0)
	}
	w.rest[at] = 0
	f, l := &w.Next, &w.Next.Lanes[at]
	*l = p.Lane
	l.Name, l.Nodes = p.Info.Name, w.buffer[at][:0]
	if l.ID == 0 {
		if w.lanes[l.Name] == 0 {
			w.lanes[l.Name] = gather.LaneID(len(w.lanes) + 1)
		}
		l.ID = w.lanes[l.Name]
	}
	l.Updater = at == 0
	w.add(at, p, -1)
	w.buffer[at] = l.Nodes
	l.Begin, l.End = f.Begin, f.Begin
	for i := range l.Nodes {
		l.End += l.Nodes[i].Self
	}
}

// add adds an entry and what it calls below a node.
func (w *World) add(lane int, p *Part, up int32) {
	l := &w.Next.Lanes[lane]
	if p.of != w {
		p.learn(w, l, up)
	}
	at := &w.places[p.node]
	if at.frame != w.serial {
		*at = place{w.serial, int32(len(l.Nodes))}
		l.Nodes = append(l.Nodes, gather.Node{ID: p.node, Zone: p.zone, Parent: up, Depth: p.depth, Open: p.Open,
			Estimated: p.Estimated})
	}
	here := at.at
	n := &l.Nodes[here]
	n.Self, n.Count = n.Self+w.Ticks(p.Ms), n.Count+p.Count
	if p.Rest {
		w.rest[lane] = here
	}
	if p.Extra != (gather.NodeExtra{}) {
		p.Extra.Node = here
		l.Extras = append(l.Extras, p.Extra)
	}
	for _, inner := range p.Inner {
		w.add(lane, inner, here)
	}
}
