//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// This file enters zones while some are demoted or muted. It decides whether to time or count an entry. At other times
// Begin and In call begin and in, which cost the same with and without a governor. The decision comes before the clock
// is read, because reading it is most of the cost of timing.

// enter and within are the functions that Begin and In call. A call through a variable costs no more than another call,
// and less than a test. Both are read without atomics, as one word each.
var (
	enter  = begin
	within = in
)

// The bits of Zone.governed.
const (
	zoneDemoted uint8 = 1 << iota // on some lane
	zoneMuted
)

// mark sets or clears a bit of z.governed, by one store. The mutex of the zones is held.
//
//go:norace
func (z *Zone) mark(bit uint8, on bool) {
	how := z.governed &^ bit
	if on {
		how |= bit
	}
	z.governed = how
}

// beginGoverned is begin for a zone that may be demoted or muted. In a timed block it reads the clock first, as begin
// does: the steps before the reading count as time of the enclosing zone.
//
//go:norace
//go:noinline
func beginGoverned(z *Zone) Scope {
	if z == nil || z.governed == 0 {
		return begin(z)
	}
	if z.governed >= zoneMuted {
		s, record, id := platform.FindIdentity()
		if s == nil {
			return beginMutedAway(z, record, id)
		}
		if n := kid(s, uint64(uintptr(unsafe.Pointer(z)))); n != nil && n.flag&flagMuted != 0 && !asked(s) {
			n.count++ // as hush, without its call
			x := n.extra.Load()
			if x.skip == 0 {
				return n.sample(x)
			}
			x.skip--
			return Scope{}
		}
		return beginMuted(z, s)
	}
	s, t := platform.FindTime()
	if s == nil {
		return beginAway(z)
	}
	key := uint64(uintptr(unsafe.Pointer(z)))
	if t != 0 {
		if n := kid(s, key); n.isTimed(s, t) {
			n.enterTimed(s, t)
			return scopeOf(n)
		}
		readInVain(s)
	}
	n := kid(s, key^keyUntimed)
	if n == nil || asked(s) || n.flag&flagTop != 0 && n.timesNext(false) {
		return begin(z)
	}
	n.count++
	s.Cur = unsafe.Pointer(n)
	return scopeOf(n)
}

// beginCrowded is begin while all lanes are in use. A goroutine without a lane is not timed, so it reads no clock.
//
//go:norace
//go:noinline
func beginCrowded(z *Zone) Scope {
	s, record, id := platform.FindIdentity()
	if s == nil && z != nil && countsAway(zoneKey(z), record, id) {
		return Scope{}
	}
	return beginGoverned(z)
}

// beginMutedAway is begin for a muted zone on a goroutine without a home slot. It reads no clock where the entry is
// only counted.
//
//go:norace
//go:noinline
func beginMutedAway(z *Zone, record, id uint64) Scope {
	if finding.manual.Load() || platform.Epoch() != atomic.LoadUint32(&finding.epoch) {
		return beginAway(z)
	}
	if l := laneOf(record); l != nil && atomic.LoadUint64(&l.slot.ID) == id && !asked(l.slot) {
		if n := kid(l.slot, zoneKey(z)); n != nil && n.flag&flagMuted != 0 {
			return n.hush()
		}
	}
	return beginAway(z)
}

// beginMuted is begin for a muted zone whose node has many siblings, or is not yet flagged as muted.
//
//go:norace
//go:noinline
func beginMuted(z *Zone, s *platform.Slot) Scope {
	if l := (*Lane)(s.Lane); l != nil && !asked(s) {
		if n := l.wide.find((*node)(s.Cur), zoneKey(z)); n != nil && n.flag&flagMuted != 0 {
			return n.hush()
		}
		const deep = flagPiled | flagMuted // muted in the middle of a deep recursion
		if n := (*node)(s.Cur); n.flag&deep == deep && n.key == zoneKey(z) {
			n.count++
			return Scope{}
		}
	}
	return begin(z)
}

// isTimed reports whether n can be opened at time t, in a timed block.
//
//go:norace
func (n *node) isTimed(s *platform.Slot, t platform.Ticks) bool {
	return n != nil && n.acc >= 0 && t >= s.Last &&
		(n.flag&flagWithin != 0 || n.flag&flagTiming != 0 && int16(uint16(n.count)-s.Stop) < 0)
}

// enterTimed opens n at time t. It must be inlined: the steps after the reading count as time of the zone.
//
//go:norace
func (n *node) enterTimed(s *platform.Slot, t platform.Ticks) {
	s.Cur = unsafe.Pointer(n)
	storeTicks(&n.acc, n.acc-t)
	n.count++
	used(s, &s.Last, t)
}

// mostWasted is the number of useless clock readings after which a timed block ends: the program may never enter its
// top again.
const mostWasted = 4096

// readInVain drops a clock reading, which Lane.upTo would wait for.
//
//go:norace
func readInVain(s *platform.Slot) {
	storeTicks(&s.Read, 0)
	if s.Wasted++; s.Wasted == mostWasted {
		s.SetTimed(false)
	}
}

// inGoverned is in for a zone that may be demoted or muted.
//
//go:norace
//go:noinline
func inGoverned(z *Zone, lane *Lane) Scope {
	if z == nil || z.governed == 0 {
		return in(z, lane)
	}
	return beginGoverned(z)
}

// CountSite is OpenSite for a site that may be demoted or muted. The slot, time and pc are platform.FindCaller's.
//
//go:norace
//go:noinline
func CountSite(s *platform.Slot, t platform.Ticks, pc uintptr, name string) Scope {
	key := siteKey(pc, name)
	if s == nil {
		return siteAway(pc, name, key)
	}
	if n := kid(s, key); n != nil && n.flag&flagMuted != 0 && !asked(s) {
		if t != 0 {
			readInVain(s)
		}
		return n.hush()
	}
	if t != 0 {
		if n := kid(s, key); n.isTimed(s, t) {
			n.enterTimed(s, t)
			return scopeOf(n)
		}
		readInVain(s)
	}
	n := kid(s, key^keyUntimed)
	switch {
	case n == nil || asked(s):
		return timeSite(pc, name)
	case n.flag&flagTop != 0 && n.timesNext(false):
		return timeSite(pc, name)
	}
	n.count++
	s.Cur = unsafe.Pointer(n)
	return scopeOf(n)
}

//go:norace
//go:noinline
func timeSite(pc uintptr, name string) Scope {
	s, t := platform.Enter()
	return OpenSite(s, t, pc, name)
}

// timesNext reports whether to time the next entry of a top. n is the top's form. locked is true on the slow path, with
// the lane's mutex held.
//
//go:norace
func (n *node) timesNext(locked bool) bool {
	x := n.extra.Load()
	if x.skip > 0 {
		x.skip--
		return false
	}
	return x.form.burst.next(x, locked)
}

// formFor decides for an entry below parent on the slow path. It returns the form that counts the entry, or nil to time
// it.
//
//go:norace
func (l *Lane) formFor(parent *node, key uint64) *node {
	if l.governed == nil {
		return nil
	}
	n := l.find(parent, key^keyUntimed)
	if n != nil && n.flag&flagTop != 0 && n.timesNext(true) {
		return nil
	}
	return n
}

// kid returns the node with the key below the innermost open node, or nil. begin, in and OpenSite repeat these steps,
// because a call costs each of them an instruction more (BenchmarkBegin).
//
//go:norace
func kid(s *platform.Slot, key uint64) *node {
	n := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for n != nil && n.key != key {
		n = n.sib
	}
	return n
}

// asked reports whether the lane's goroutine should take the slow path. Timed entries learn it from the comparison of
// times: see Lane.poke.
//
//go:norace
func asked(s *platform.Slot) bool { return s.Last == platform.MaxTicks && s.Real == platform.MaxTicks }
