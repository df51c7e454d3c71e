//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// Held is an open entry of a zone of which is decided later whether it counts: what Hold returns. It is one word, which may
// be copied. The zero Held is open nowhere.
type Held struct {
	n *node
}

// Hold enters the zone as Begin does, but whether that entry, and all that is entered inside it, is measured is decided when
// it ends, by Keep or KeepIf on the same goroutine, or by Discard before:
//
//	defer request.Hold().KeepIf(&slow)
//
// Until then its time is shown as "(pending)" below the same parent. What is kept is credited to the same rows as if it had
// been entered by Begin, in the frame of the decision, and "(pending)" gets what it had in earlier frames as a negative time;
// what is not kept becomes time of the row "(not kept)". So the sum of all self times always is the frame's length.
//
// Hold and the decision take the lane's mutex; zones inside cost what they always do. A hold that is closed by the End of an
// outer scope is kept.
//
//go:norace
func (z *Zone) Hold() Held {
	if off != 0 || z == nil {
		return Held{}
	}
	e := entry{key: zoneKey(z), zone: z}
	for {
		l := locate()
		if l == nil {
			if !registry.manual.Load() {
				unmeasured.add(e)
			}
			return Held{}
		}
		if h, ok := l.hold(e); ok {
			return h
		}
	}
}

// Keep ends the hold and decides: what was measured since counts, or is "(not kept)".
func (h Held) Keep(keep bool) {
	if h.n == nil {
		return
	}
	if !keep {
		h.n.discard()
	}
	endSlow(h.n)
}

// KeepIf is Keep with a condition that is read when it is called, for defer; nil stands for true.
func (h Held) KeepIf(keep *bool) { h.Keep(keep == nil || *keep) }

// Discard decides about the innermost Hold that is open on the calling goroutine, at any depth below it: it will not be kept,
// whatever Keep says. Without one it does nothing.
//
//go:norace
func Discard() {
	l := laneFor(false)
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := l.at(); n != nil; n = n.parent {
		if n.flag&flagHeld != 0 {
			n.flag |= flagDrop
			return
		}
	}
}

// discard notes that a hold is not to be kept.
//
//go:norace
func (n *node) discard() {
	l := (*Lane)(n.slot.Lane)
	if l == nil || !l.has(n) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n.flag&flagHeld != 0 && n.acc < 0 {
		n.flag |= flagDrop
	}
}

// hold opens a held entry of e; it fails when the lane has ended.
//
//go:norace
func (l *Lane) hold(e entry) (h Held, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return Held{}, false
	}
	t := l.settle(l.border(platform.Now()))
	defer l.rest(t)
	n := l.heldNode(l.at(), e)
	if n == nil { // beyond a limit: kept in any case
		return Held{l.enter(l.at(), t, e).n}, true
	}
	if pending := l.find(n.parent, keyPending); pending.acc >= 0 {
		storeTicks(&pending.acc, pending.acc-t)
	}
	if n.acc < 0 {
		l.repair(n, t)
	}
	l.open(n, t)
	return Held{n}, true
}

// heldNode returns the node of a held entry of e below parent: a twin of the node that it is credited to if it is kept, with a
// subtree of its own. The reader never visits it; it visits its sibling "(pending)", which is open at the same times.
//
//go:norace
func (l *Lane) heldNode(parent *node, e entry) *node {
	if parent.flag&flagFolded != 0 {
		return nil
	}
	if n := l.find(parent, e.key|keyHeld); n != nil {
		return n
	}
	room, _ := l.room(parent)
	zone, known := zones.of(e.zone)
	if !room || !known {
		return nil
	}
	l.child(parent, keyPending, zones.pendingZone()).flag |= flagPending
	n := l.add(parent, e.key|keyHeld, zone)
	n.flag |= flagHeld
	l.holds = true
	l.seen[parent.idx].kid, l.seen[n.idx].next = l.seen[n.idx].next, 0
	return n
}
