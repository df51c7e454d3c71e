//go:build !iprof_off

package measure

import (
	"math"
	"sort"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// sum adds up pieces of a frame. The zero value has none. The caller guards it.
type sum struct {
	lanes  []laneSum // those after the length keep their memory
	places map[LaneID]int32
	nodes  []nodePlace // by NodeID
	turn   uint32      // of the frame
	piece  uint32
	number int // of nodes
	foldAt int // the number of nodes at which resting lanes are folded
	head   Frame
	lost   Dropped // beyond the limits of a frame
	held   int64   // bytes, as counted in the limit
	to     []int32 // scratch: by node of a lane, the node in the sum
	folded []NodeID
}

// laneSum is the sum of a lane. Its nodes and extras have their own memory.
type laneSum struct {
	LaneFrame
	piece uint32 // the latest that has the lane
}

// nodePlace is the place of a node in the sum of a turn.
type nodePlace struct {
	turn       uint32
	lane, node int32
}

// The limits of a sum. Beyond them, lanes that rest are folded into one.
const (
	mostSummed  = 1 << 17 // nodes
	mostKept    = 1 << 16 // nodes whose memory waits for the next frame
	summedBytes = int64(unsafe.Sizeof(Node{}))
	placeBytes  = int64(unsafe.Sizeof(nodePlace{}))
)

// since returns the ticks of the stretch after a moment.
func (t stretch) since(begin platform.Ticks) platform.Ticks { return max(0, t.to-max(t.from, begin)) }

// add adds a piece of a frame that began at begin.
func (s *sum) add(f *Frame, begin platform.Ticks) {
	if s.places == nil {
		s.turn, s.foldAt, s.places = max(s.turn, 1), mostSummed, map[LaneID]int32{}
	}
	s.piece++
	for i := range f.Lanes {
		if l := &f.Lanes[i]; len(l.Nodes) > 0 {
			s.addLane(l, begin)
		}
	}
	s.addHead(f)
	if s.number > s.foldAt || budget.IsScarce() && s.number > s.foldAt/8 {
		s.fold()
	}
	s.count()
}

// count counts the memory of the sum in the limit.
func (s *sum) count() {
	now := int64(s.number)*summedBytes + int64(cap(s.nodes))*placeBytes
	budget.Add(budget.Sets, now-s.held)
	s.held = now
}

// addLane adds a lane of a piece. A piece lacks a lane that rests outside zones. The time of its rest counts if the
// lane is in another piece of the frame, because a frame has the whole time of its lanes.
func (s *sum) addLane(l *LaneFrame, begin platform.Ticks) {
	at := s.laneOf(l.ID)
	to := &s.lanes[at]
	if to.piece != s.piece {
		to.piece = s.piece
		for i := range to.Nodes {
			to.Nodes[i].Open = false
		}
	}
	rest := l.rest.since(begin)
	to.lengthen(l.End-l.Begin+rest, max(to.End, l.End))
	to.addHead(l)
	s.to = s.to[:0]
	for i := range l.Nodes {
		n, parent := &l.Nodes[i], int32(-1)
		if n.Parent >= 0 {
			parent = s.to[n.Parent]
		}
		node := s.nodeOf(at, n, parent)
		s.to = append(s.to, node)
		to.addNode(node, n)
	}
	to.Nodes[0].Self += rest
	for i := range l.Extras {
		to.extra(s.to[l.Extras[i].Node]).Add(&l.Extras[i])
	}
}

// addHead adds all of a lane but its nodes and times.
func (l *laneSum) addHead(o *LaneFrame) {
	l.Name, l.Goroutine, l.Updater = o.Name, o.Goroutine, o.Updater
	l.ScopeCost, l.CountCost = o.ScopeCost, o.CountCost
	l.Untimed += o.Untimed
	l.CPU += o.CPU
	l.Slow += o.Slow
}

// lengthen adds to the time of the lane, which is known up to an end.
func (l *laneSum) lengthen(by, end platform.Ticks) {
	l.Begin, l.End = end-(l.End-l.Begin+by), end
}

// addNode adds the node of a piece to a node.
func (l *laneSum) addNode(at int32, n *Node) {
	m := &l.Nodes[at]
	if uint64(m.Count)+uint64(n.Count) > math.MaxUint32 {
		l.extra(at).More++ // the sum wraps around
	}
	m.add(n)
}

// extra finds or makes the extra of a node.
func (l *laneSum) extra(node int32) *NodeExtra {
	at, found := findExtra(l.Extras, node)
	if !found {
		l.Extras = append(l.Extras, NodeExtra{}) // slices.Insert would add 4 kB of code
		copy(l.Extras[at+1:], l.Extras[at:])
		l.Extras[at] = NodeExtra{Node: node}
	}
	return &l.Extras[at]
}

// laneOf finds or makes the sum of a lane.
func (s *sum) laneOf(id LaneID) int32 {
	at, known := s.places[id]
	if !known {
		at = int32(len(s.lanes))
		if len(s.lanes) < cap(s.lanes) {
			s.lanes = s.lanes[:at+1]
		} else {
			s.lanes = append(s.lanes, laneSum{})
		}
		l := &s.lanes[at]
		*l = laneSum{LaneFrame: LaneFrame{ID: id, Nodes: l.Nodes[:0], Extras: l.Extras[:0]}}
		s.places[id] = at
	}
	return at
}

// nodeOf finds or makes the node of a lane for a node of a piece, whose parent is known. The number of a node may have
// been another's earlier in the frame.
func (s *sum) nodeOf(lane int32, n *Node, parent int32) int32 {
	for int(n.ID) >= len(s.nodes) {
		s.nodes = append(s.nodes, nodePlace{})
	}
	l, p := &s.lanes[lane], &s.nodes[n.ID]
	if p.turn == s.turn && p.lane == lane && int(p.node) < len(l.Nodes) {
		if m := &l.Nodes[p.node]; m.Zone == n.Zone && m.Parent == parent {
			return p.node
		}
	}
	*p = nodePlace{s.turn, lane, int32(len(l.Nodes))}
	l.Nodes = append(l.Nodes, Node{ID: n.ID, Zone: n.Zone, Parent: parent, Depth: n.Depth})
	s.number++
	return p.node
}

// rest gives the lanes that the latest piece lacks the time of their rest up to the end of the frame.
func (s *sum) rest(begin, end platform.Ticks) {
	for i := range s.lanes {
		if l := &s.lanes[i]; l.piece != s.piece {
			if t := restNow(l.ID, end).since(begin); t > 0 {
				l.lengthen(t, end)
				l.Nodes[0].Self += t
			}
		}
	}
}

// addHead adds all of a piece but its lanes.
func (s *sum) addHead(f *Frame) {
	before, h := s.head, &s.head
	*h = *f
	h.Lanes, h.nodes, h.extras = nil, nil, nil
	h.CPU += before.CPU
	h.Memory.add(&before.Memory)
	h.Values = s.addValues(before.Values, f)
	h.Marks = addMost(before.Marks, f.Marks, MaxMarks, &s.lost.Marks)
	h.States = addMost(before.States, f.States, MaxStates, &s.lost.States)
	h.SlowCalls = addMost(before.SlowCalls, f.SlowCalls, MaxSlowCalls, &s.lost.Slow)
	h.Remarks = s.addRemarks(before.Remarks, f.Remarks)
	if f.Section == (SectionInfo{}) {
		h.Section = before.Section
	}
}

// addMost appends items of a piece, and counts those beyond the limit of a frame.
func addMost[Item any](to, items []Item, most int, lost *uint64) []Item {
	room := min(len(items), max(0, most-len(to)))
	*lost += uint64(len(items) - room)
	return append(to, items[:room]...)
}

// addRemarks is addMost for remarks, which may be in use.
func (s *sum) addRemarks(before, remarks []Remark) []Remark {
	if len(before) == 0 || len(remarks) == 0 {
		return append(before[:len(before):len(before)], remarks...)
	}
	bytes, n := 0, 0
	for i := range before {
		bytes += len(before[i].Text)
	}
	for n < len(remarks) && bytes+len(remarks[n].Text) <= MaxRemarkBytes {
		bytes += len(remarks[n].Text)
		n++
	}
	s.lost.Remarks += uint64(len(remarks) - n)
	return addMost(before[:len(before):len(before)], remarks[:n], MaxRemarks, &s.lost.Remarks)
}

// addValues adds counts and takes over levels. Both lists are in the order of the counters.
func (s *sum) addValues(to []CounterValue, f *Frame) []CounterValue {
	for _, v := range f.Values {
		at := sort.Search(len(to), func(i int) bool { return to[i].Counter >= v.Counter })
		switch {
		case at == len(to) || to[at].Counter != v.Counter:
			to = append(to, CounterValue{})
			copy(to[at+1:], to[at:])
			to[at] = v
		case f.Counters[v.Counter].Level:
			to[at].Value = v.Value
		default:
			to[at].Value += v.Value
		}
	}
	return to
}

// add adds the figures of an earlier piece.
func (m *MemoryFrame) add(o *MemoryFrame) {
	m.AllocBytes += o.AllocBytes
	m.AllocObjects += o.AllocObjects
	m.Cycles += o.Cycles
	m.Pause += o.Pause
	m.Assist += o.Assist
	m.RunQueue += o.RunQueue
	m.LockWait += o.LockWait
	m.Cost += o.Cost
}

// copyTo copies the sum into a frame, and reuses its memory. The frame keeps its number and beginning.
func (s *sum) copyTo(f *Frame) {
	old := *f
	*f = s.head
	f.Index, f.Begin = old.Index, old.Begin
	f.nodes, f.extras, f.Lanes = old.nodes[:0], old.extras[:0], old.Lanes[:0]
	for i := range s.lanes {
		l := s.lanes[i].LaneFrame
		nodes, extras := len(f.nodes), len(f.extras)
		f.nodes, f.extras = append(f.nodes, l.Nodes...), append(f.extras, l.Extras...)
		l.Nodes = f.nodes[nodes:len(f.nodes):len(f.nodes)]
		l.Extras = f.extras[extras:len(f.extras):len(f.extras)]
		f.Lanes = append(f.Lanes, l)
	}
	sort.Sort(byUpdater(f.Lanes))
	f.Marks, f.States = append(old.Marks[:0], s.head.Marks...), append(old.States[:0], s.head.States...)
	f.SlowCalls = append(old.SlowCalls[:0], s.head.SlowCalls...)
	f.Values = old.Values[:0]
	for _, v := range s.head.Values {
		if v.Value != 0 || f.Counters[v.Counter].Level {
			f.Values = append(f.Values, v)
		}
	}
	f.Dropped.Marks += s.lost.Marks
	f.Dropped.States += s.lost.States
	f.Dropped.Slow += s.lost.Slow
	f.Dropped.Remarks += s.lost.Remarks
}

// clear empties the sum. It keeps memory as far as the next frame probably needs it.
func (s *sum) clear() {
	for _, id := range s.folded {
		nodeIDs.giveBack(uint32(id))
	}
	h, lost := &s.head, s.lost
	kept := 0
	for _, l := range s.lanes[:cap(s.lanes)] {
		kept += cap(l.Nodes)
	}
	if kept > mostKept {
		*s = sum{turn: s.turn, piece: s.piece, foldAt: mostSummed, places: map[LaneID]int32{}, held: s.held}
	} else {
		clear(s.places)
		clear(h.Marks)
		clear(h.States)
		clear(h.SlowCalls)
		s.lanes, s.folded, s.number = s.lanes[:0], s.folded[:0], 0
		*h = Frame{Marks: h.Marks[:0], States: h.States[:0], SlowCalls: h.SlowCalls[:0], Values: h.Values[:0]}
	}
	s.lost = lost
	s.turn = max(s.turn+1, 1)
	s.count()
}

// A frame that does not end has more and more lanes of goroutines that have ended. Those that rest are folded by path
// into the lane "(earlier goroutines)". It has room for mostSummed nodes; the time of others stays in the node around.

// fold folds the lanes that the latest piece lacks.
func (s *sum) fold() {
	earlier := folding{s: s, at: map[foldKey]int32{}}
	earlier.begin(s.laneOf(0))
	kept := s.lanes[:0]
	for i := range s.lanes {
		if l := &s.lanes[i]; l.ID != 0 && l.piece != s.piece {
			earlier.take(l)
		}
	}
	for i := range s.lanes {
		if l := s.lanes[i]; l.ID == 0 || l.piece == s.piece {
			kept = append(kept, l)
		}
	}
	for i := len(kept); i < len(s.lanes); i++ {
		s.lanes[i] = laneSum{} // its memory is another's
	}
	s.lanes = kept
	s.place()
	s.foldAt = max(mostSummed, 2*s.number)
}

// place finds the places of lanes and nodes again.
func (s *sum) place() {
	clear(s.places)
	s.turn, s.number = max(s.turn+1, 1), 0
	for i := range s.lanes {
		l := &s.lanes[i]
		s.places[l.ID] = int32(i)
		s.number += len(l.Nodes)
		for k := range l.Nodes {
			s.nodes[l.Nodes[k].ID] = nodePlace{s.turn, int32(i), int32(k)}
		}
	}
}

// folding folds lanes into one.
type folding struct {
	s    *sum
	lane int32
	at   map[foldKey]int32
}

// foldKey is a path: a zone below a node.
type foldKey struct {
	parent int32
	zone   ZoneID
}

// begin finds the paths of the lane that gets the others.
func (f *folding) begin(lane int32) {
	f.lane = lane
	l := &f.s.lanes[lane]
	if l.Name = earlierName; len(l.Nodes) == 0 {
		f.child(&Node{}, -1)
	}
	for i := range l.Nodes {
		f.at[foldKey{l.Nodes[i].Parent, l.Nodes[i].Zone}] = int32(i)
	}
}

// child finds or makes the child of a node. Beyond the limit it returns the node itself.
func (f *folding) child(n *Node, parent int32) int32 {
	key := foldKey{parent, n.Zone}
	at, known := f.at[key]
	if known {
		return at
	}
	l := &f.s.lanes[f.lane]
	if len(l.Nodes) >= mostSummed {
		dropped.nodes.Add(uint64(n.Count))
		return parent
	}
	made := Node{ID: NodeID(nodeIDs.take()), Zone: n.Zone, Parent: parent, Depth: n.Depth}
	f.s.folded = append(f.s.folded, made.ID)
	for int(made.ID) >= len(f.s.nodes) {
		f.s.nodes = append(f.s.nodes, nodePlace{})
	}
	at = int32(len(l.Nodes))
	f.at[key] = at
	l.Nodes = append(l.Nodes, made)
	return at
}

// take takes a lane in.
func (f *folding) take(from *laneSum) {
	s := f.s
	s.to = s.to[:0]
	for i := range from.Nodes {
		n := from.Nodes[i]
		under := int32(-1)
		if n.Parent >= 0 {
			under = s.to[n.Parent]
		}
		at := f.child(&n, under)
		if n.Open = false; at == under {
			n.Count = 0
		}
		s.lanes[f.lane].addNode(at, &n)
		s.to = append(s.to, at)
	}
	to := &s.lanes[f.lane]
	for i := range from.Extras {
		to.extra(s.to[from.Extras[i].Node]).Add(&from.Extras[i])
	}
	to.lengthen(from.End-from.Begin, max(to.End, from.End))
	to.Untimed += from.Untimed
	to.Slow += from.Slow
	to.CPU += from.CPU
}
