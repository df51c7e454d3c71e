//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// entry says what is to be entered: a Zone, or a place and a name.
type entry struct {
	key  uint64
	zone *Zone
	pc   uintptr
	name string
}

//go:norace
//go:noinline
func beginAway(z *Zone) Scope {
	return away(entry{key: zoneKey(z), zone: z})
}

//go:norace
//go:noinline
func siteAway(pc uintptr, name string, key uint64) Scope {
	return away(entry{key: key, pc: pc, name: name})
}

//go:norace
//go:noinline
func siteSlow(s *platform.Slot, t platform.Ticks, pc uintptr, name string, key uint64) Scope {
	return beginSlow(s, t, entry{key: key, pc: pc, name: name})
}

// away enters e on a goroutine that Enter does not know.
//
//go:norace
func away(e entry) Scope {
	if e.zone == nil && e.pc == 0 {
		return Scope{} // a nil *Zone
	}
	l := locate()
	if l == nil {
		if !registry.manual.Load() {
			unmeasured.add(e)
		}
		return Scope{}
	}
	s, t := l.slot, platform.Now()
	at := (*node)(s.Cur)
	n := kid(s, e.key)
	if n == nil || t < s.Last || n.acc < 0 || n.flag&flagTop|at.flag&flagUntimed != 0 {
		return beginSlow(s, t, e)
	}
	l.open(n, t)
	s.Last = t
	return Scope{n}
}

// inSlow enters z on a lane held in hand, if it is the calling goroutine's.
//
//go:norace
//go:noinline
func inSlow(l *Lane, t platform.Ticks, z *Zone) Scope {
	if s := l.slot; s.Lane == nil || (*Lane)(s.Lane) != l {
		return begin(z) // closed
	} else if s.ID == platform.Goroutine() {
		return beginSlow(s, platform.Now(), entry{key: zoneKey(z), zone: z})
	}
	zone, _ := zones.of(z)
	misuse.note(otherLane, zone)
	return begin(z)
}

// beginSlow is Begin when something is out of the ordinary: a node must be made, the clock stepped back, a scope was left
// open, or the lane is hidden.
//
//go:norace
//go:noinline
func beginSlow(s *platform.Slot, t platform.Ticks, e entry) Scope {
	if e.zone == nil && e.pc == 0 {
		return Scope{}
	}
	l := (*Lane)(s.Lane)
	if l == nil {
		return away(e)
	}
	l.mu.Lock()
	if l.ended {
		l.mu.Unlock()
		return away(e)
	}
	defer l.mu.Unlock()
	t = l.settle(l.border(t))
	scope := l.enter(l.at(), t, e)
	l.rest(t)
	return scope
}

// enter opens e below parent.
//
//go:norace
func (l *Lane) enter(parent *node, t platform.Ticks, e entry) Scope {
	if parent.flag&flagFolded != 0 {
		return l.fold(parent)
	}
	n := l.seek(parent, e.key)
	if n == nil {
		if n = l.resolve(parent, e); n == nil {
			dropped.nodes.Add(1)
			return Scope{}
		}
	}
	if u := n.untimed(t); u != nil {
		l.moveTo(u)
		u.count++
		return Scope{u}
	}
	if n.flag&flagTop != 0 {
		n.extra.Load().began(t)
	}
	if n.acc < 0 {
		l.repair(n, t)
	}
	l.open(n, t)
	if n.flag&flagFolded != 0 {
		l.nest, n.count = 0, n.count-1
		return l.fold(n)
	}
	if n.flag&flagWatch != 0 {
		l.watching++
	}
	return Scope{n}
}

//go:norace
func (l *Lane) open(n *node, t platform.Ticks) {
	l.moveTo(n)
	n.count++
	storeTicks(&n.acc, n.acc-t)
	l.note(n, t, 0)
}

//go:norace
func (l *Lane) close(n *node, t platform.Ticks) {
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
		called(n, n.acc)
	}
	l.note(n, t, 1)
	l.moveTo(n.parent)
	if n.flag&flagHeld != 0 {
		l.decide(n, t)
	}
}

// resolve finds or makes the child of parent that e stands for once its zone is known; nil beyond all limits.
//
//go:norace
func (l *Lane) resolve(parent *node, e entry) *node {
	zone, key := zones.resolve(e)
	if n := l.seek(parent, key); n != nil {
		return n
	}
	if room, spare := l.room(parent); !room {
		if !spare {
			return nil
		}
		return l.child(parent, keyLimit, zones.other())
	}
	if n := l.untimedChild(parent, key); n != nil {
		return n
	}
	n := l.child(parent, key, zone)
	if l.stacked(n) {
		n.flag |= flagWatch
	}
	return n
}

// child finds or makes a child of parent, whatever the limits are.
//
//go:norace
func (l *Lane) child(parent *node, key uint64, zone int32) *node {
	if n := l.find(parent, key); n != nil {
		return n
	}
	n := l.add(parent, key, zone)
	if key == keyLimit {
		n.flag |= flagFolded
		n.more().token = &node{slot: l.slot, parent: n, flag: flagToken, idx: n.idx}
	}
	return n
}

// room reports whether the limits allow another node below parent, and if not whether they allow one to fold into.
//
//go:norace
func (l *Lane) room(parent *node) (room, spare bool) {
	lim := limits()
	n, all := len(l.seen), nodeIDs.inUse()
	room = n < lim.NodesPerLane && all < lim.Nodes && int(l.seen[parent.idx].level) < lim.Depth
	return room, n < 2*lim.NodesPerLane && all < 2*lim.Nodes
}

// stacked reports whether the node lies on two of its own zone that were made in the same frame of the goroutine's stack: a
// defer in a loop, for a recursion would have gone deeper.
//
//go:norace
func (l *Lane) stacked(n *node) bool {
	p := n.parent
	if p.key != n.key || p.parent == nil || p.parent.key != n.key {
		return false
	}
	depth := l.seen[n.idx].stack &^ wasOpen
	return depth != 0 && l.seen[p.idx].stack&^wasOpen == depth && l.seen[p.parent.idx].stack&^wasOpen == depth
}

// fold counts an entry in the folded node, which is open.
//
//go:norace
func (l *Lane) fold(n *node) Scope {
	l.nest++
	n.count++
	dropped.nodes.Add(1)
	return Scope{n.more().token}
}

// unfold ends an entry in a folded node; the last one closes it.
//
//go:norace
func (l *Lane) unfold(n *node, t platform.Ticks) {
	if l.nest--; l.nest == 0 {
		l.close(n, t)
	}
}

// endSlow is End when the scope is not the innermost open one of the calling goroutine, or the clock stepped back.
//
//go:norace
//go:noinline
func endSlow(n *node) {
	s := n.slot
	l := (*Lane)(s.Lane)
	if l == nil || (*Lane)(l.slot.Lane) != l || !l.has(n) {
		misuse.note(extraEnd, unknownZone)
		return
	}
	s = l.slot
	if atomic.LoadUint64(&s.ID) != platform.Goroutine() {
		l.endElsewhere(n)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		misuse.note(extraEnd, unknownZone)
		return
	}
	t := l.settle(platform.Now())
	l.end(n, t)
	l.finish(t, t)
	l.rest(t)
}

// has reports whether the node is the lane's, and not that of an earlier lane in the same slot.
//
//go:norace
func (l *Lane) has(n *node) bool {
	if at := l.at(); at == n || at == n.parent {
		return true
	}
	for n.parent != nil {
		n = n.parent
	}
	return n == l.root
}

// end closes a scope wherever it is in the stack.
//
//go:norace
func (l *Lane) end(n *node, t platform.Ticks) {
	in := n
	if n.flag&flagToken != 0 {
		in = n.parent
	}
	if !l.isOpen(in) || in.acc >= 0 && in.flag&flagUntimed == 0 {
		misuse.note(extraEnd, l.seen[n.idx].zone)
		return
	}
	for l.at() != in {
		l.abandon(t)
	}
	if n.flag&flagWatch != 0 {
		misuse.note(deferInLoop, l.seen[n.idx].zone)
	}
	l.leave(n, t)
}

// opened reports whether the node is open, without a look at the stack if its time says so.
//
//go:norace
func (l *Lane) opened(n *node) bool {
	return n.acc < 0 || n.flag&flagUntimed != 0 && l.isOpen(n)
}

// isOpen reports whether the node is one of those open.
//
//go:norace
func (l *Lane) isOpen(n *node) bool {
	for at := l.at(); at != nil; at = at.parent {
		if at == n {
			return true
		}
	}
	return false
}
