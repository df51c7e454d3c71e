package world

import (
	"slices"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// keptFrames is the number of frames with events, the default length of a session's history.
const keptFrames = 300

// events is a timeline.EventSource. It returns the times at which zones were entered and left. The times are computed
// from the frames on demand, and add up to them exactly.
type events struct {
	mu     sync.Mutex
	frames [keptFrames]keptFrame // slot = frame number % len
	next   uint64
	last   gather.LaneID // the greatest number of a lane
	trace  trace
}

// keptFrame is the data of a frame from which its events are computed.
type keptFrame struct {
	begin, end platform.Ticks
	lanes      []keptLane
}

type keptLane struct {
	id    gather.LaneID
	nodes []gather.Node
}

// keep stores a frame.
func (e *events) keep(f *gather.Frame) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := &e.frames[e.next%keptFrames]
	k.begin, k.end = f.Begin, f.End
	k.lanes = slices.Grow(k.lanes[:0], len(f.Lanes))[:len(f.Lanes)]
	for i := range f.Lanes {
		l := &k.lanes[i]
		l.id, l.nodes = f.Lanes[i].ID, append(l.nodes[:0], f.Lanes[i].Nodes...)
		e.last = max(e.last, l.id)
	}
	e.next++
}

// EventsSince returns the begin of the oldest stored frame.
func (e *events) EventsSince(lane gather.LaneID) (since platform.Ticks, kept bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if lane < 1 || lane > e.last {
		return 0, false
	}
	return e.frames[e.oldest()%keptFrames].begin, true
}

func (e *events) oldest() uint64 { return e.next - min(e.next, keptFrames) }

// AppendEvents appends a lane's events from begin to end, both included.
func (e *events) AppendEvents(dst []gather.Event, lane gather.LaneID, begin, end platform.Ticks) []gather.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	for n := e.oldest(); n < e.next; n++ {
		k := &e.frames[n%keptFrames]
		if k.end < begin || k.begin > end {
			continue
		}
		for i := range k.lanes {
			if k.lanes[i].id == lane {
				e.trace = trace{out: dst, nodes: k.lanes[i].nodes, begin: begin, end: end}
				e.trace.enter(0, 0, k.begin, -1)
				dst = e.trace.out
			}
		}
	}
	e.trace = trace{}
	return dst
}

// trace walks through a lane's frame and appends its events.
type trace struct {
	out        []gather.Event
	nodes      []gather.Node
	begin, end platform.Ticks
}

// enter walks through one entry of a node that begins at a time, and returns its end. The node's self time lies in
// equal parts before, between and after its children.
func (t *trace) enter(node int, entry uint32, now platform.Ticks, level int32) platform.Ticks {
	t.event(node, now, level, false)
	own, parts, part := share(t.nodes[node].Self, entry, entries(&t.nodes[node])), uint32(1), uint32(0)
	t.children(node, entry, func(int, uint32) { parts++ })
	t.children(node, entry, func(child int, its uint32) {
		now = t.enter(child, its, now+share(own, part, parts), level+1)
		part++
	})
	now += share(own, part, parts)
	t.event(node, now, level, true)
	return now
}

// children visits the entries below one entry of a node. The entries of each child are divided among the node's.
func (t *trace) children(node int, entry uint32, visit func(child int, entry uint32)) {
	all := uint64(entries(&t.nodes[node]))
	for i := node + 1; i < len(t.nodes); i++ {
		if int(t.nodes[i].Parent) != node {
			continue
		}
		n := uint64(entries(&t.nodes[i]))
		for its := (uint64(entry)*n + all - 1) / all; its < ((uint64(entry)+1)*n+all-1)/all; its++ {
			visit(i, uint32(its))
		}
	}
}

// entries returns the number of entries of a node. The root has one.
func entries(n *gather.Node) uint32 { return max(n.Count, 1) }

// share returns part number part of ticks, divided into parts that add up to it.
func share(ticks platform.Ticks, part, parts uint32) platform.Ticks {
	return ticks*platform.Ticks(part+1)/platform.Ticks(parts) - ticks*platform.Ticks(part)/platform.Ticks(parts)
}

func (t *trace) event(node int, at platform.Ticks, level int32, end bool) {
	if level < 0 || at < t.begin || at > t.end {
		return
	}
	n := &t.nodes[node]
	t.out = append(t.out, gather.Event{Time: at, Zone: n.Zone, Node: n.ID, Level: level, End: end})
}
