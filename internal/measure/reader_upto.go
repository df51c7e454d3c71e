//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// A goroutine may be preempted in a Begin or End, after it reads the clock and before it stores the result. This is the
// most likely place for an interrupt, because reading the clock is the longest instruction of all. A read of the lane
// at that moment would show an ended scope as open, or give a scope's time to the enclosing zone.
//
// The reader handles two cases. If the slot's Read is later than its Last, a clock reading is stored and waits to be
// used. Then the lane is read up to that time. Read may also be equal to Last, because clocks may return the same
// reading twice. So Begin and End set Read to 0 after they have used it: see used.
//
// Otherwise the reading may still be in the goroutine's registers. Then the reader writes its own time to Last. When
// the goroutine continues, it finds its reading earlier than Last. It makes this comparison anyway, against clocks that
// run backwards. So it takes the slow path and uses the reader's time instead.
//
// The two cases cost Begin and End two stores.

// mostLooks limits the reader's repetitions of a reading that changes meanwhile.
const mostLooks = 20

// upTo returns the time up to which the lane can be read. It is now, or an earlier clock reading that waits to be used.
// Nothing more will happen on the lane before that time. The lane's mutex is held.
func (l *Lane) upTo(now platform.Ticks) platform.Ticks {
	for range mostLooks {
		read := loadTicks(&l.slot.Read) // before Last
		last := l.lastRead()
		if last < now && waits(read, last) {
			now = min(now, read)
			break
		}
		if last >= now || (*Lane)(l.slot.Lane) != l {
			break // the slot of a lane that has ended may be another lane's
		}
		if !l.raise(last, now) {
			continue
		}
		if read = loadTicks(&l.slot.Read); waits(read, last) { // stored, and perhaps compared, before the raise
			now = min(now, read)
			break
		}
		if l.lastRead() >= now { // else a Begin or End compared before the raise, then overwrote it
			break
		}
	}
	return max(now, l.reportedAt)
}

// waits reports whether the reading in Read waits to be used.
func waits(read, last platform.Ticks) bool { return read >= last }

// raise replaces the lane's latest reading, last, by now. It returns false if the reading has changed meanwhile.
//
//go:norace
func (l *Lane) raise(last, now platform.Ticks) bool {
	s, word := l.slot, &l.last
	if s.Last < platform.MaxTicks {
		word = &s.Last
	} else if s.Log != nil && s.Real < platform.MaxTicks {
		word = &s.Real
	}
	if !atomic.CompareAndSwapInt64((*int64)(word), int64(last), int64(now)) {
		return false
	}
	if l.raised.to != last {
		l.raised.from = last
	}
	l.raised.to = now
	return true
}

// hierOf returns a node's hierarchical time up to now, and whether the node is open.
func (l *Lane) hierOf(n *node, now platform.Ticks) (hier platform.Ticks, open bool) {
	acc := loadTicks(&n.acc)
	switch {
	case acc >= 0:
		return acc, false
	case n == l.root:
		return acc + now, true
	}
	if len(l.lateEnds) > 0 {
		if t, ended := l.endedAt(n); ended {
			return acc + min(l.until(now), t), false
		}
	}
	return l.openHier(n, acc, now)
}

// until returns the time up to which open zones are reported: now, or the lane's latest reading if that is later. A
// late End is before that reading, too.
func (l *laneStack) until(now platform.Ticks) platform.Ticks {
	read := loadTicks(&l.slot.Read) // before Last: while a node is being entered, only Read may have the time
	if last := max(read, l.lastRead()); last < platform.MaxTicks {
		return max(now, last)
	}
	return now
}

// openHier is hierOf for a node that was open when acc was read. The node may have been entered after now. Then acc+now
// would lack the time in between, which its ancestors report. So if the lane's latest reading is later than now,
// openHier uses that reading instead, unless the entry has changed meanwhile.
func (l *laneStack) openHier(n *node, acc, now platform.Ticks) (hier platform.Ticks, open bool) {
	for range mostLooks {
		last := l.until(now)
		if last == now {
			break
		}
		again := loadTicks(&n.acc)
		if again >= 0 {
			return again, false
		}
		if again == acc {
			return acc + last, true
		}
		acc = again
	}
	return acc + now, true
}
