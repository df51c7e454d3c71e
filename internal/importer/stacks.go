package importer

import (
	"cmp"
	"slices"
	"strconv"

	"example.com/iprof/gather"
)

// zoneAt returns the zone of a function at a place. Another place has another zone.
func (t *Trace) zoneAt(name, file string, line int) gather.ZoneID {
	if file == "" {
		return t.zone(name)
	}
	key := name + "\x00" + file + ":" + strconv.Itoa(line)
	id, known := t.ids[key]
	if !known {
		id = t.newZone(key)
		t.zones[id] = gather.ZoneInfo{Name: name, Function: name, File: file, Line: line}
	}
	return id
}

// sums is a tree with the times of stacks, without an order in time.
type sums struct {
	trace    *Trace
	total    int64
	nodes    []sumNode
	children map[edge]int32
}

type sumNode struct {
	zone     gather.ZoneID
	self     int64
	children []int32
	all      int64
}

func newSums(t *Trace) *sums {
	return &sums{trace: t, nodes: make([]sumNode, 1), children: map[edge]int32{}}
}

// add adds a time to a stack, the outermost zone first.
func (s *sums) add(stack []gather.ZoneID, ns int64) {
	if ns > latest-s.total {
		s.trace.leave("stacks with a time that is too large", 1)
		return
	}
	s.total += ns
	at := int32(0)
	for _, zone := range stack {
		next, known := s.children[edge{at, zone}]
		if !known {
			next = int32(len(s.nodes))
			s.children[edge{at, zone}] = next
			s.nodes = append(s.nodes, sumNode{zone: zone})
			s.nodes[at].children = append(s.nodes[at].children, next)
			s.trace.hold(nodeSize)
		}
		at = next
	}
	s.nodes[at].self += ns
}

// place makes slices of the sums, one after another on a lane, the longest first.
func (s *sums) place(l *lane, begin int64) {
	for i := len(s.nodes) - 1; i >= 0; i-- { // children come after their parents
		n := &s.nodes[i]
		n.all = n.self
		for _, k := range n.children {
			n.all += s.nodes[k].all
		}
	}
	type part struct {
		node  int32
		begin int64
	}
	for list := []part{{0, begin}}; len(list) > 0; {
		p := list[len(list)-1]
		list = list[:len(list)-1]
		n := &s.nodes[p.node]
		if p.node != 0 {
			s.trace.slice(l, slice{p.begin, p.begin + n.all, n.zone, 1})
		}
		slices.SortStableFunc(n.children, func(a, b int32) int { return cmp.Compare(s.nodes[b].all, s.nodes[a].all) })
		at := p.begin
		for _, k := range n.children {
			list = append(list, part{k, at})
			at += s.nodes[k].all
		}
	}
	if s.nodes[0].self > 0 { // time without a stack
		s.trace.slice(l, slice{begin + s.nodes[0].all - s.nodes[0].self, begin + s.nodes[0].all,
			s.trace.zone("(no stack)"), 1})
	}
}
