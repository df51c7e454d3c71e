//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/platform"
)

// lastRead returns the lane's latest clock reading, or MaxTicks if unknown.
//
//go:norace
func (l *laneStack) lastRead() platform.Ticks {
	s := l.slot
	switch {
	case s.Last < platform.MaxTicks:
		return s.Last
	case s.Log != nil && s.Real < platform.MaxTicks:
		return s.Real
	case l.slow.Load():
		return l.last
	}
	return platform.MaxTicks
}

// catchUp starts every slow path. It returns the time to use for the reading t, which is never before the latest
// reading. It carries out late Ends, applies the settings and grows the log. The lane's goroutine calls it, with the
// mutex held.
//
//go:norace
func (l *Lane) catchUp(t platform.Ticks) platform.Ticks {
	wakeBeat()
	l.wake(t)
	last := l.lastRead()
	own := l.unraised(last)
	if t < last {
		if own-t > platform.Jitter() {
			misuse.Count(mistakes.ClockBack, 1)
			platform.NoteStepBack()
			l.at().more().sums.add(sumErrors, 1)
		}
		t = last
	}
	l.endLate(own, t)
	l.applySettings()
	l.log.Grow()
	return t
}

// unraised returns the lane's own latest reading. last is the latest one, which may be the reader's: see raise.
func (l *laneReport) unraised(last platform.Ticks) platform.Ticks {
	if last == l.raised.to {
		return l.raised.from
	}
	return last
}

// rearm ends every slow path. It stores the latest reading, and decides whether the next Begin or End takes it again.
//
//go:norace
func (l *Lane) rearm(t platform.Ticks) {
	slow := l.watching > 0 || l.metered || len(l.lateEnds) > 0
	l.last, l.raised = t, raised{to: t, from: t}
	if l.slow.Load() != slow { // the store would wait for all stores before it
		l.slow.Store(slow)
	}
	if slow {
		t = platform.MaxTicks
	}
	l.slot.Real = t
	if l.log != nil {
		t = platform.MaxTicks
	}
	l.slot.Last = t
	unused(l.slot)
}

// endLate carries out the Ends that other goroutines called. Each takes effect at the time of the call, but not before
// last, the lane's own latest reading, nor after now, nor before its scope began on a clock that went back. The reader
// has reported the scope so, see endedAt. An End waits while its scope has open scopes inside. An End in a folded node
// takes effect now, because the reader has reported the node as open until now.
//
//go:norace
func (l *Lane) endLate(last, now platform.Ticks) {
	for i := 0; i < len(l.lateEnds); i++ {
		n, t := l.lateEnds[i].n, l.lateEnds[i].t
		if n.flag&flagToken != 0 {
			n, t = n.parent, now
		}
		open := l.opened(n)
		if open && n != l.at() {
			continue
		}
		if open {
			last = max(min(max(t, last), now), -n.acc)
			l.leave(l.lateEnds[i].n, last)
		}
		l.lateEnds = append(l.lateEnds[:i], l.lateEnds[i+1:]...)
		i = -1 // the parent may be waiting
	}
}

// leave closes the innermost open scope.
//
//go:norace
func (l *Lane) leave(n *node, t platform.Ticks) {
	if n.flag&flagToken != 0 {
		if n.parent.flag&flagFolded == 0 {
			l.unpile(n.parent)
			return
		}
		if l.nest--; l.nest == 0 { // the last entry in a folded node closes it
			l.close(n.parent, t)
		}
		return
	}
	l.close(n, t)
}

// abandon closes the innermost open node, whose End was missing.
//
//go:norace
func (l *Lane) abandon(t platform.Ticks) {
	n := l.at()
	if n.flag&flagFolded != 0 {
		misuse.Count(mistakes.MissingEnd, uint64(l.nest)-1)
		l.nest = 0
	}
	l.noteMissingEnd(n)
	if n.parent != nil && n.parent.key == n.key {
		n.more().abandoned++
	}
	if n.acc < 0 {
		l.close(n, t)
	} else {
		l.moveTo(n.parent)
	}
}

// noteMissingEnd counts a missing End as misuse and as an error of the node.
//
//go:norace
func (l *laneTree) noteMissingEnd(n *node) {
	if noteMisuse(mistakes.MissingEnd, l.base[n.idx].zone) {
		n.more().sums.add(sumErrors, 1)
	}
}

// closeAll abandons all open nodes.
//
//go:norace
func (l *Lane) closeAll(t platform.Ticks) {
	for l.at() != l.root {
		l.abandon(t)
	}
	l.lateEnds = l.lateEnds[:0]
	l.rearm(t)
}

// repair closes a node that is open in an impossible place because two goroutines have used one lane. The node's time
// does not fall below the part already reported.
//
//go:norace
func (l *Lane) repair(n *node, t platform.Ticks) {
	l.noteMissingEnd(n)
	storeTicks(&n.acc, max(n.acc+t, l.base[n.idx].hier))
	if n.flag&flagCalls != 0 {
		n.more().calls.Skip(n.acc)
	}
	l.logEvent(n, t, 1)
}

// mostLate limits the late Ends in a lane. Further ones are dropped; the next End of an outer scope closes their
// scopes.
const mostLate = 64

// endLater records an End that another goroutine called. Only the lane's goroutine writes its nodes, so it carries out
// the End later. Until then the reader reports the scope as ended at this moment. open is false if the scope is not
// open, or already has a late End. zone is -1 if unknown.
//
//go:norace
func (l *Lane) endLater(n *node) (zone ZoneID, open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || !l.has(n) || n.flag&flagToken == 0 && !l.opened(n) || l.isLate(n) {
		return unknownZone, false
	}
	l.wake(platform.Now())
	if len(l.lateEnds) < mostLate {
		l.lateEnds = append(l.lateEnds, lateEnd{n, platform.Now()})
	}
	l.poke()
	return l.base[n.idx].zone, true
}

func (l *laneReport) isLate(n *node) bool { return n.flag&flagToken == 0 && l.lateEnd(n) != nil }

// lateEnd returns the late End of a node, or nil.
func (l *laneReport) lateEnd(n *node) *lateEnd {
	for i := range l.lateEnds {
		if l.lateEnds[i].n == n {
			return &l.lateEnds[i]
		}
	}
	return nil
}

// endedAt returns when a late End of an open node will take effect. ended is false if the node, or a scope inside it,
// has no late End. The reader calls it, with the mutex held.
//
//go:norace
func (l *Lane) endedAt(n *node) (t platform.Ticks, ended bool) {
	if t = l.unraised(l.lastRead()); t == platform.MaxTicks {
		t = 0
	}
	for at := l.at(); at != nil; at = at.parent {
		late := l.lateEnd(at)
		if late == nil {
			return 0, false
		}
		if t = max(t, late.t); at == n {
			return t, true
		}
	}
	return 0, false
}

// poke sends the lane's goroutine to the slow path. A running Begin or End may overwrite this, so the reader repeats it
// in every frame until the goroutine has reacted.
//
//go:norace
func (l *Lane) poke() {
	s := l.slot
	if (*Lane)(s.Lane) == l && (s.Last != platform.MaxTicks || s.Log != nil && s.Real != platform.MaxTicks) {
		l.last = l.lastRead()
		l.slow.Store(true)
		s.Last, s.Real = platform.MaxTicks, platform.MaxTicks
	}
}
