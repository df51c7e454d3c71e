//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/platform"
)

// endSlow is End's slow path: the scope is not the caller's innermost open one, or the clock went back.
//
//go:norace
//go:noinline
func endSlow(n *node) {
	s := n.slot
	l := (*Lane)(s.Lane)
	if l == nil || (*Lane)(l.slot.Lane) != l || !l.has(n) {
		noteMisuse(mistakes.ExtraEnd, unknownZone)
		return
	}
	s = l.slot
	if atomic.LoadUint64(&s.ID) != platform.Goroutine() {
		if zone, open := l.endLater(n); open {
			noteMisuse(mistakes.OtherLane, zone)
		} else {
			noteMisuse(mistakes.ExtraEnd, unknownZone)
		}
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		noteMisuse(mistakes.ExtraEnd, unknownZone)
		return
	}
	t := l.catchUp(platform.Now())
	l.end(n, t)
	l.endLate(t, t)
	l.rearm(t)
}

// endFolded ends an entry that an open node counts as its own, except the last one, which closes the node. It reports
// whether it did. It leaves entries of other goroutines, and the case of something else to do, to endSlow.
//
//go:norace
func endFolded(token *node) bool {
	n, s := token.parent, token.slot // no parent: the node has been evicted
	if n == nil || s.Cur != unsafe.Pointer(n) || asked(s) || s.Lane == nil || platform.Find() != s {
		return false
	}
	if n.flag&flagFolded != 0 {
		l := (*Lane)(s.Lane)
		if l.nest <= 1 {
			return false
		}
		l.nest--
		return true
	}
	x := n.extra.Load()
	if n.flag&flagPiled == 0 || x.piled == 0 {
		return false
	}
	x.piled--
	return true
}

// EndElsewhere closes a scope of any goroutine, like its End on another goroutine. But it does not count as misuse, and
// it does nothing if the scope has ended. Package process ends the gap between frames with it. Any goroutine may call
// it.
//
//go:norace
func EndElsewhere(s Scope) {
	n := s.node()
	if n == nil || (n.count^uint64(uintptr(s.p)))&countMask != 0 {
		return
	}
	if l := (*Lane)(n.slot.Lane); l != nil && (*Lane)(l.slot.Lane) == l {
		l.endLater(n)
	}
}

// has reports whether the node is in this lane, and not in an earlier lane of the same slot.
//
//go:norace
func (l *Lane) has(n *node) bool {
	if at := l.at(); at == n || at == n.parent {
		return true
	}
	for up := n.parent; up != nil; up = n.parent { // read once: the lane's goroutine may evict the node
		n = up
	}
	return n == l.root
}

// end closes a scope anywhere in the stack. It abandons the scopes inside.
//
//go:norace
func (l *Lane) end(n *node, t platform.Ticks) {
	in := n
	if n.flag&flagToken != 0 {
		in = n.parent
	}
	if !l.isOpen(in) || in.acc >= 0 && in.flag&flagUntimed == 0 {
		noteMisuse(mistakes.ExtraEnd, l.base[n.idx].zone)
		return
	}
	if l.isAround(n, in) {
		return
	}
	for l.at() != in {
		l.abandon(t)
	}
	if n.flag&flagWatch != 0 {
		noteMisuse(mistakes.DeferInLoop, l.base[n.idx].zone)
	}
	l.leave(n, t)
}

// isAround reports whether an open loose scope has other scopes inside. Its End closes none of them: it stays open.
func (l *Lane) isAround(n, in *node) bool {
	for at := l.at(); at != in && l.isLoose(n); at = at.parent {
		if !l.isLoose(at) {
			return true
		}
	}
	return false
}

func (l *Lane) isLoose(n *node) bool { return zones.isLoose(l.base[n.idx].zone) }

// opened reports whether the node is open. It searches the stack only if the node has no time.
//
//go:norace
func (l *laneStack) opened(n *node) bool {
	return n.acc < 0 || n.flag&flagUntimed != 0 && l.isOpen(n)
}

// isOpen reports whether the node is in the stack of open nodes.
//
//go:norace
func (l *laneStack) isOpen(n *node) bool {
	for at := l.at(); at != nil; at = at.parent {
		if at == n {
			return true
		}
	}
	return false
}

//go:norace
func (l *Lane) close(n *node, t platform.Ticks) {
	if n.flag&flagPiled != 0 {
		l.clearPile(n)
	}
	if n.flag&flagUntimed != 0 {
		l.moveTo(n.parent)
		return
	}
	if n.flag&flagWatch != 0 {
		n.flag &^= flagWatch
		l.watching--
	}
	storeTicks(&n.acc, n.acc+t)
	if l.metered {
		l.meter(n)
	}
	if n.flag&flagCalls != 0 {
		called(n, n.acc, t)
	}
	l.logEvent(n, t, 1)
	l.moveTo(n.parent)
	if n.flag&flagHeld != 0 {
		l.decide(n, t)
	}
}
