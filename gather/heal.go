//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// lastRead returns the latest reading used.
//
//go:norace
func (l *Lane) lastRead() platform.Ticks {
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

// settle returns the time to use for the reading t: not before the latest. It then carries out what other goroutines have
// asked for, and makes the log that is wanted. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) settle(t platform.Ticks) platform.Ticks {
	last := l.lastRead()
	if t < last {
		if last-t > platform.Jitter() {
			misuse.counts[clockBack].Add(1)
			l.at().more().sums[sumErrors].Add(1)
		}
		t = last
	}
	l.finish(last, t)
	l.hear()
	return t
}

// rest notes the latest reading, and whether the next Begin or End must come the slow way again.
//
//go:norace
func (l *Lane) rest(t platform.Ticks) {
	slow := l.watching > 0 || l.metered || len(l.late) > 0
	l.last = t
	l.slow.Store(slow)
	if slow {
		t = platform.MaxTicks
	}
	l.slot.Real = t
	if l.log != nil {
		t = platform.MaxTicks
	}
	l.slot.Last = t
}

// finish carries out the Ends of other goroutines that are due, at the time they were called but not before last nor after
// now. An End whose scope still has scopes open inside waits for them. That of an entry in a folded node counts as called now:
// until now the reader has taken that node for open.
//
//go:norace
func (l *Lane) finish(last, now platform.Ticks) {
	for i := 0; i < len(l.late); i++ {
		n, t := l.late[i].n, l.late[i].t
		if n.flag&flagToken != 0 {
			n, t = n.parent, now
		}
		open := l.opened(n)
		if open && n != l.at() {
			continue
		}
		if open {
			last = min(max(t, last), now)
			l.leave(l.late[i].n, last)
		}
		l.late = append(l.late[:i], l.late[i+1:]...)
		i = -1 // its parent may be waiting
	}
}

// leave closes the innermost open scope.
//
//go:norace
func (l *Lane) leave(n *node, t platform.Ticks) {
	if n.flag&flagToken != 0 {
		l.unfold(n.parent, t)
		return
	}
	l.close(n, t)
}

// abandon closes the innermost open node, whose End never came.
//
//go:norace
func (l *Lane) abandon(t platform.Ticks) {
	n := l.at()
	if n.flag&flagFolded != 0 {
		misuse.counts[missingEnd].Add(uint64(l.nest) - 1)
		l.nest = 0
	}
	misuse.note(missingEnd, l.seen[n.idx].zone)
	n.more().sums[sumErrors].Add(1)
	if n.acc < 0 {
		l.close(n, t)
	} else {
		l.moveTo(n.parent)
	}
}

// closeAll abandons everything open.
//
//go:norace
func (l *Lane) closeAll(t platform.Ticks) {
	for l.at() != l.root {
		l.abandon(t)
	}
	l.late = l.late[:0]
	l.rest(t)
}

// repair closes a node that is open although none of its kind should be: two goroutines have used one lane. Its time never
// goes back behind what was reported.
//
//go:norace
func (l *Lane) repair(n *node, t platform.Ticks) {
	misuse.note(missingEnd, l.seen[n.idx].zone)
	n.more().sums[sumErrors].Add(1)
	storeTicks(&n.acc, max(n.acc+t, l.seen[n.idx].hier))
	if n.flag&flagCalls != 0 {
		n.more().calls.skip(n.acc)
	}
	l.note(n, t, 1)
}

// mostLate bounds the Ends that may wait; more are dropped, and healed by the next outer End.
const mostLate = 64

// endElsewhere leaves word that a scope is to be ended. Only the lane's own goroutine writes its nodes; until it comes by, the
// reader takes the scope for ended at this moment.
//
//go:norace
func (l *Lane) endElsewhere(n *node) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || n.flag&flagToken == 0 && !l.opened(n) || l.isLate(n) {
		misuse.note(extraEnd, unknownZone)
		return
	}
	misuse.note(otherLane, l.seen[n.idx].zone)
	if len(l.late) < mostLate {
		l.late = append(l.late, lateEnd{n, platform.Now()})
	}
	l.poke()
}

func (l *Lane) isLate(n *node) bool { return n.flag&flagToken == 0 && l.lateEnd(n) != nil }

// lateEnd returns the End of a scope that another goroutine called, nil if none did.
func (l *Lane) lateEnd(n *node) *lateEnd {
	for i := range l.late {
		if l.late[i].n == n {
			return &l.late[i]
		}
	}
	return nil
}

// endedAt returns when finish will find that an open node ended, if another goroutine has ended it and all scopes inside. The
// reader asks, with the mutex held.
//
//go:norace
func (l *Lane) endedAt(n *node) (t platform.Ticks, ended bool) {
	if t = l.lastRead(); t == platform.MaxTicks {
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

// poke sends the lane's goroutine the slow way. It may be in the middle of the fast one and undo this, so it is repeated with
// every frame while anything waits.
//
//go:norace
func (l *Lane) poke() {
	s := l.slot
	if s.Last != platform.MaxTicks || s.Log != nil && s.Real != platform.MaxTicks {
		l.last = l.lastRead()
		l.slow.Store(true)
		s.Last, s.Real = platform.MaxTicks, platform.MaxTicks
	}
}
