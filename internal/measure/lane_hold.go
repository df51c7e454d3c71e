//go:build !iprof_off

package measure

import "example.com/iprof/platform"

// Held is an open entry that is kept or discarded when it ends. Hold returns it. It is one word and may be copied. The
// methods of a zero Held do nothing.
type Held struct {
	scope Scope
}

// Hold enters the zone as Begin does. The program decides at the end whether the entry and everything inside it counts:
// by Keep or KeepIf on the same goroutine, or earlier by Discard.
//
//	defer request.Hold().KeepIf(&slow)
//
// Until then reports show its time as "(pending)" below the same parent. Kept entries count as if Begin had entered
// them, in the frame of the decision. In that frame "(pending)" gets a negative time, which cancels its time in earlier
// frames. The time of discarded entries goes to the row "(not kept)". So the sum of all self times is always the
// frame's length.
//
// Hold and the decision take the lane's mutex. Zones inside a hold cost the same as elsewhere. The End of an outer
// scope closes and keeps an open hold. Beyond a limit the entry is always kept.
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
			if !isLeftOut() {
				record, id := platform.Identity()
				noteUnmeasured(e, record, id)
			}
			return Held{}
		}
		if h, ok := l.hold(e); ok {
			return h
		}
	}
}

// Keep ends the hold. The entry counts if keep is true; otherwise its time is "(not kept)". Calling it on another
// goroutine is misuse, as with Scope.End. A second Keep is counted in Misuse.ExtraEnd and decides nothing; see Scope
// for its limits.
//
//go:norace
func (h Held) Keep(keep bool) {
	n := h.scope.node()
	if n == nil {
		return
	}
	if (n.count^uint64(uintptr(h.scope.p)))&countMask != 0 {
		endStale(n)
		return
	}
	if !keep {
		n.discard()
	}
	endSlow(n)
}

// KeepIf is Keep for defer: it reads the condition when it runs. A nil condition is true.
func (h Held) KeepIf(keep *bool) { h.Keep(keep == nil || *keep) }

// Discard discards the innermost open hold of the calling goroutine, whatever the later argument of Keep. It may be
// called at any depth inside the hold. Without an open hold it does nothing.
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

// discard marks an open hold as discarded.
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

// hold opens a hold. It fails if the lane has ended.
//
//go:norace
func (l *Lane) hold(e entry) (h Held, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return Held{}, false
	}
	t := l.catchUp(l.border(platform.Now()))
	defer l.rearm(t)
	n := l.heldNode(l.at(), e)
	if n == nil { // beyond a limit: always kept
		return Held{l.enter(l.at(), t, e)}, true
	}
	if pending := l.find(n.parent, keyPending); pending.acc >= 0 {
		storeTicks(&pending.acc, pending.acc-t)
	}
	if n.acc < 0 {
		l.repair(n, t)
	}
	l.open(n, t)
	return Held{scopeOf(n)}, true
}

// heldNode returns the node of a hold below parent. The node has a subtree of its own. The reader never visits it. It
// visits the sibling "(pending)" instead, which is open at the same times.
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
	l.unsettleAll()
	l.child(parent, keyPending, zones.own(pendingName)).flag |= flagPending
	n := l.add(parent, e.key|keyHeld, zone)
	n.flag |= flagHeld
	l.flagAsMuted(n)
	l.holds = true
	l.base[parent.idx].kid, l.base[n.idx].next = l.base[n.idx].next, 0
	return n
}

// keepsRest reports whether a node's baseline is exchanged: then it holds the unreported part. That is true for all
// nodes while recording is off, and for the nodes of holds during a pause.
//
//go:norace
func (l *Lane) keepsRest(n *node) bool { return l.frozen || l.paused && n.inHold() }

// inHold reports whether a node is a hold's or below one.
//
//go:norace
func (n *node) inHold() bool {
	for ; n != nil; n = n.parent {
		if n.flag&flagHeld != 0 {
			return true
		}
	}
	return false
}

// later keeps a credit of a node until the pause ends. It returns false if the node can have it now.
//
//go:norace
func (l *laneHolds) later(n *node, took platform.Ticks, begun uint64) bool {
	if !l.paused || n.inHold() {
		return false
	}
	l.credits = append(l.credits, credit{n.idx, took, begun})
	return true
}
