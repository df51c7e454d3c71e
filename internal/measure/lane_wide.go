//go:build !iprof_off

package measure

import (
	"math"
	"unsafe"

	"example.com/iprof/platform"
)

// wide is a hash table of the nodes without a place in a kid slot, because their parent has many children. Writers hold
// the lane's mutex. If the lane has a goroutine, only that goroutine writes, so it reads without the mutex.
//
// Neighbouring zones, often entered in turn, have slots at different places of one cache line. A search that finds
// another node in a slot goes on at the same place of the next cache line, so the slots of one place make a ring. A
// slot points into its node, at an offset computed from the key. So a search reads few other nodes.
type wide struct {
	slots []unsafe.Pointer    // a power of two; a node is in the first free one of its ring from its place on
	used  [slotsOfLine]uint32 // of each ring
}

const (
	leastWide   = 64
	slotsOfLine = 8
)

// hasAny reports whether the table has nodes.
//
//go:norace
func (w *wide) hasAny() bool { return len(w.slots) != 0 }

// place returns the first slot of the search for a key below parent.
//
//go:norace
func (w *wide) place(parent *node, key uint64) int {
	hash := (key>>kidShift/slotsOfLine ^ uint64(uintptr(unsafe.Pointer(parent)))) * 0x9E3779B97F4A7C15
	return int(hash>>32^key>>kidShift%slotsOfLine) & (len(w.slots) - 1)
}

// hasOffset reports whether a slot may hold the node of a key.
//
//go:norace
func hasOffset(slot unsafe.Pointer, key uint64) bool {
	return (uintptr(slot)^uintptr(key>>kidShift))&offsetMask == 0
}

// find returns the node with a key below parent, or nil.
//
//go:norace
func (w *wide) find(parent *node, key uint64) *node {
	if !w.hasAny() {
		return nil
	}
	for at := w.place(parent, key); ; at += slotsOfLine {
		p := w.slots[at&(len(w.slots)-1)]
		if p == nil {
			return nil
		}
		if hasOffset(p, key) {
			if n := nodeIn(p); n.key == key && n.parent == parent {
				return n
			}
		}
	}
}

// nodeIn returns the node of a slot, or nil.
//
//go:norace
func nodeIn(slot unsafe.Pointer) *node { return (*node)(unsafe.Pointer(uintptr(slot) &^ offsetMask)) }

// add adds a node.
//
//go:norace
func (w *wide) add(n *node) {
	for !w.hasAny() || !w.put(n) {
		w.grow()
	}
}

// put adds a node, unless its ring is half full.
//
//go:norace
func (w *wide) put(n *node) bool {
	mask := len(w.slots) - 1
	at := w.place(n.parent, n.key)
	used := &w.used[at%slotsOfLine]
	if 2*slotsOfLine*(int(*used)+1) > len(w.slots) {
		return false
	}
	for w.slots[at] != nil {
		at = (at + slotsOfLine) & mask
	}
	w.slots[at] = unsafe.Add(unsafe.Pointer(n), uintptr(n.key>>kidShift)&offsetMask)
	*used++
	return true
}

// grow makes the table as large as all nodes need.
//
//go:norace
func (w *wide) grow() {
	old := w.slots
	for size, all := max(2*len(old), leastWide), false; !all; size *= 2 {
		w.slots, w.used = make([]unsafe.Pointer, size), [slotsOfLine]uint32{}
		all = true
		for _, p := range old {
			all = all && (p == nil || w.put(nodeIn(p)))
		}
	}
}

// remove removes a node, if present. The nodes behind it move up, so that searches still find them.
//
//go:norace
func (w *wide) remove(n *node) {
	if !w.hasAny() {
		return
	}
	mask := len(w.slots) - 1
	at := w.place(n.parent, n.key)
	for nodeIn(w.slots[at]) != n {
		if w.slots[at] == nil {
			return
		}
		at = (at + slotsOfLine) & mask
	}
	w.used[at%slotsOfLine]--
	for next := at; ; {
		w.slots[at] = nil
		for {
			next = (next + slotsOfLine) & mask
			m := nodeIn(w.slots[next])
			if m == nil {
				return
			}
			if home := w.place(m.parent, m.key); (next-home)&mask >= (next-at)&mask {
				w.slots[at], at = w.slots[next], next
				break
			}
		}
	}
}

// flagsUnusual are the bits of nodes whose entry takes more steps than begin has.
const flagsUnusual = flagMuted | flagDemoted | flagMirror | flagQuiet

// beginWide enters a node of the table while events are logged, if nothing else is to be done. It repeats the steps of
// begin.
//
//go:norace
func beginWide(s *platform.Slot, t platform.Ticks, n *node) Scope {
	if !logs(s, t) {
		return Scope{}
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	storeTicks(&n.acc, n.acc-t)
	n.count++
	used(s, &s.Real, t)
	return scopeOf(n)
}

// Of very many siblings, a frame enters few. The reader does not visit quiet ones: it moves them from their parents'
// children to a list of the lane. They stay there until the goroutine enters them, or a caller needs the whole tree.
//
// First the reader marks a node that was in no report for some frames. The goroutine enters a marked node only on the
// slow path, which removes the mark. An entry that began before the mark may have missed it. So the reader moves the
// node in a later frame, once the goroutine has used a clock reading later than the mark: then all earlier entries are
// done, and the reader has seen them.

// quietAfter is the number of frames without activity after which a node is marked. It is a variable for tests.
var quietAfter = int32(64)

// The values of baseline.out for a node outside the frame: from -1 down it counts frames, then it is one of these. In
// the list it is listed minus the index of the previous node.
const (
	marked = math.MinInt16
	listed = 2 * marked
)

// settled holds the nodes that the reader does not visit. The lane's mutex guards it.
type settled struct {
	first   uint32         // in the list; baseline.next is the next one; 0: none
	count   int            // of the list
	mark    platform.Ticks // time of the last mark
	marks   bool           // in this walk
	ready   bool           // the goroutine has used a later reading than mark
	parents []uint32       // of nodes to move to the list
}

// begin is called before a walk.
func (q *settled) begin(l *Lane) {
	last := l.lastRead()
	q.ready = last < platform.MaxTicks && l.unraised(last) > q.mark
	q.marks, q.parents = false, q.parents[:0]
}

// age counts a frame without activity of a node.
func (l *Lane) age(i uint32, s *baseline, n *node) {
	switch {
	case s.out >= 0:
		s.out = -1
	case s.out > -quietAfter:
		s.out--
	case s.out == marked:
		if q := &l.settled; q.ready {
			if s.out = listed; len(q.parents) == 0 || q.parents[len(q.parents)-1] != n.parent.idx {
				q.parents = append(q.parents, n.parent.idx)
			}
		}
	case n.flag&^flagQuiet != 0 || n.parent.hasInSlot(n) || !l.maySettle():
		s.out = -1
	default:
		n.flag |= flagQuiet
		s.out, l.settled.marks = marked, true
	}
}

// hasInSlot reports whether a child is in a kid slot, not in the lane's table.
func (n *node) hasInSlot(kid *node) bool {
	at := n.kids[kid.key>>kidShift%kidSlots]
	for at != nil && at != kid {
		at = at.sib
	}
	return at != nil
}

// maySettle reports whether nodes may be settled: only Begin and End change them.
func (l *Lane) maySettle() bool {
	return l.governed == nil && !l.mutes && !l.holds && l.evictions == nil && !l.isNobodys() && !l.ended
}

// settle moves the nodes that the walk has found to the list.
func (l *Lane) settle() {
	q := &l.settled
	if q.marks {
		q.mark = platform.Now()
	}
	for _, parent := range q.parents {
		at := &l.base[parent].kid
		for i := *at; i != 0; i = *at {
			s := &l.base[i]
			if s.out != listed {
				at = &s.next
				continue
			}
			*at = s.next
			if s.next = q.first; q.first != 0 {
				l.base[q.first].out = listed - int32(i)
			}
			q.first, q.count = i, q.count+1
		}
	}
}

// unsettle makes the reader visit a node again. The lane's mutex is held.
//
//go:norace
func (l *Lane) unsettle(n *node) {
	n.flag &^= flagQuiet
	s, q := &l.base[n.idx], &l.settled
	before := listed - s.out
	s.out = -1
	if before < 0 { // the node was only marked
		return
	}
	if next := s.next; next != 0 {
		l.base[next].out = listed - before
	}
	if before == 0 {
		q.first = s.next
	} else {
		l.base[before].next = s.next
	}
	q.count--
	p := &l.base[n.parent.idx]
	s.next, p.kid = p.kid, n.idx
}

// unsettleAll puts all nodes back into the tree. The lane's mutex is held.
//
//go:norace
func (l *Lane) unsettleAll() {
	for l.settled.first != 0 {
		l.unsettle(l.node(l.settled.first))
	}
}
