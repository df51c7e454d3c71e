package importer

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// walker goes through the steps of a lane, frame by frame.
type walker struct {
	next     int // step
	nodes    []node
	children map[edge]int32
	stack    []int32 // open nodes, the root first
	out      []gather.Node
	place    []int32 // by node: its index in out + 1
	touched  []int32
	event    []gather.Event // of the latest frame
	since    int64          // begin of the latest frame
}

type node struct {
	zone   gather.ZoneID
	parent int32
	depth  int32
	self   int64
	count  uint32
	used   bool
}

type edge struct {
	parent int32
	zone   gather.ZoneID
}

func (w *walker) start() {
	w.nodes, w.children, w.stack = []node{{parent: -1}}, map[edge]int32{}, []int32{0}
}

// idle reports whether no slice is open and none begins before a time. It forgets events of earlier frames.
func (l *lane) idle(end int64, last bool) bool {
	w := &l.walker
	idle := len(w.stack) == 1 && (w.next == len(l.steps) || l.steps[w.next].at >= end && !last)
	if idle {
		w.event = w.event[:0]
	}
	return idle
}

// frame returns the nodes of a frame: nodes with time or calls, open nodes, and their ancestors.
func (l *lane) frame(begin, end int64, last bool) []gather.Node {
	w := &l.walker
	w.event = w.event[:0]
	w.since = begin
	w.touched = w.touched[:0]
	w.out = w.out[:0]
	at := begin
	for w.next < len(l.steps) && (l.steps[w.next].at < end || last) {
		s := &l.steps[w.next]
		w.next++
		top := w.stack[len(w.stack)-1]
		w.spend(top, s.at-at)
		at = s.at
		if s.end {
			w.note(s, top)
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		child := w.child(top, s.zone)
		w.stack = append(w.stack, child)
		w.note(s, child)
		w.touch(child)
		w.nodes[child].count += s.calls
	}
	w.spend(w.stack[len(w.stack)-1], end-at)
	for _, n := range w.stack {
		w.touch(n)
	}
	return w.collect()
}

// note keeps the event of a step, before an end or after a begin.
func (w *walker) note(s *step, n int32) {
	level := int32(len(w.stack) - 2)
	e := gather.Event{Time: platform.Ticks(s.at), Zone: s.zone, Node: gather.NodeID(n), Level: level, End: s.end}
	w.event = append(w.event, e)
}

func (w *walker) spend(n int32, ns int64) {
	if ns > 0 {
		w.touch(n)
		w.nodes[n].self += ns
	}
}

// touch marks a node and its ancestors as part of the frame.
func (w *walker) touch(n int32) {
	for ; n >= 0 && !w.nodes[n].used; n = w.nodes[n].parent {
		w.nodes[n].used = true
		w.touched = append(w.touched, n)
	}
}

func (w *walker) child(parent int32, zone gather.ZoneID) int32 {
	n, known := w.children[edge{parent, zone}]
	if !known {
		n = int32(len(w.nodes))
		w.children[edge{parent, zone}] = n
		depth := int32(0)
		for up := parent; up >= 0; up = w.nodes[up].parent {
			if w.nodes[up].zone == zone {
				depth = w.nodes[up].depth + 1
				break
			}
		}
		w.nodes = append(w.nodes, node{zone: zone, parent: parent, depth: depth})
	}
	return n
}

// collect returns the nodes of the frame, parents first, and forgets their values.
func (w *walker) collect() []gather.Node {
	for len(w.place) < len(w.nodes) {
		w.place = append(w.place, 0)
	}
	var path []int32
	for _, n := range w.touched {
		path = path[:0]
		for ; n >= 0 && w.place[n] == 0; n = w.nodes[n].parent {
			path = append(path, n)
		}
		for i := len(path) - 1; i >= 0; i-- {
			w.emit(path[i])
		}
	}
	for _, n := range w.stack {
		w.out[w.place[n]-1].Open = true
	}
	for _, n := range w.touched {
		x := &w.nodes[n]
		x.self = 0
		x.count = 0
		x.used = false
		w.place[n] = 0
	}
	return w.out
}

func (w *walker) emit(n int32) {
	x := &w.nodes[n]
	parent := int32(-1)
	if x.parent >= 0 {
		parent = w.place[x.parent] - 1
	}
	w.out = append(w.out, gather.Node{Self: platform.Ticks(x.self), ID: gather.NodeID(n), Zone: x.zone, Parent: parent,
		Depth: x.depth, Count: x.count})
	w.place[n] = int32(len(w.out))
}

// AppendEvents appends the events of the latest frame: see timeline.EventSource.
func (t *Trace) AppendEvents(dst []gather.Event, id gather.LaneID, _, _ platform.Ticks) []gather.Event {
	return append(dst, t.lanes[id-1].event...)
}

// EventsSince returns the begin of the latest frame, or false if slices stand for several calls.
func (t *Trace) EventsSince(id gather.LaneID) (since platform.Ticks, kept bool) {
	if id < 1 || int(id) > len(t.lanes) {
		return 0, false
	}
	return platform.Ticks(t.lanes[id-1].since), t.events
}
