//go:build !iprof_off

package gather

import (
	"math/bits"
	"unsafe"

	"example.com/iprof/platform"
)

// wide is the table of the nodes that have no place in a kid slot, because many zones are entered below one node. It is
// written with the lane's mutex held, by the lane's goroutine where there is one. So that goroutine reads it without.
type wide struct {
	slots []*node // a power of two, at most half of them used; a node is in the first free one from its place on
	used  int
	shift uint8 // of a hash
}

const leastWide = 64

// place is the slot where the search for a key below parent begins.
//
//go:norace
func (w *wide) place(parent *node, key uint64) int {
	return int((key ^ uint64(uintptr(unsafe.Pointer(parent)))) * 0x9E3779B97F4A7C15 >> w.shift)
}

// find returns the node with a key below parent, or nil.
//
//go:norace
func (w *wide) find(parent *node, key uint64) *node {
	if w.used == 0 {
		return nil
	}
	mask := len(w.slots) - 1
	for at := w.place(parent, key); ; at = (at + 1) & mask {
		n := w.slots[at&mask]
		if n == nil || n.key == key && n.parent == parent {
			return n
		}
	}
}

// add adds a node.
//
//go:norace
func (w *wide) add(n *node) {
	if 2*(w.used+1) > len(w.slots) {
		w.grow()
	}
	w.used++
	w.put(n)
}

//go:norace
func (w *wide) put(n *node) {
	mask := len(w.slots) - 1
	at := w.place(n.parent, n.key)
	for w.slots[at] != nil {
		at = (at + 1) & mask
	}
	w.slots[at] = n
}

//go:norace
func (w *wide) grow() {
	old := w.slots
	w.slots = make([]*node, max(2*len(old), leastWide))
	w.shift = uint8(64 - bits.TrailingZeros(uint(len(w.slots))))
	for _, n := range old {
		if n != nil {
			w.put(n)
		}
	}
}

// remove removes a node, if it is there. Those behind it move up, so that no search ends before them.
//
//go:norace
func (w *wide) remove(n *node) {
	if w.used == 0 {
		return
	}
	mask := len(w.slots) - 1
	at := w.place(n.parent, n.key)
	for w.slots[at] != n {
		if w.slots[at] == nil {
			return
		}
		at = (at + 1) & mask
	}
	w.used--
	for next := at; ; {
		w.slots[at] = nil
		for {
			next = (next + 1) & mask
			m := w.slots[next]
			if m == nil {
				return
			}
			if home := w.place(m.parent, m.key); (next-home)&mask >= (next-at)&mask {
				w.slots[at], at = m, next
				break
			}
		}
	}
}

// beginWide enters the node with a key below the innermost open one, if that is in the table and nothing else is to be
// done. It repeats the steps of begin. Nodes that the governor may have counted instead are demoted, or below a form.
//
//go:norace
func beginWide(s *platform.Slot, t platform.Ticks, key uint64) Scope {
	l := (*Lane)(s.Lane)
	if l == nil || l.wide.used == 0 {
		return Scope{}
	}
	n := l.wide.find((*node)(s.Cur), key)
	if n == nil || n.acc < 0 || n.flag&(flagMuted|flagDemoted|flagMirror) != 0 {
		return Scope{}
	}
	if t >= s.Last {
		s.Cur = unsafe.Pointer(n)
		storeTicks(&n.acc, n.acc-t)
		n.count++
		used(s, &s.Last, t)
		return scopeOf(n)
	}
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
