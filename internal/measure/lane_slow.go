//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/platform"
)

// entry is a zone to enter: a public Zone, or a place and a name.
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

// unused returns a scope that is open nowhere. It clears the slot's Read, which Enter has set.
//
//go:norace
//go:noinline
func unused(s *platform.Slot) Scope {
	if s != nil {
		storeTicks(&s.Read, 0)
	}
	return Scope{}
}

// away enters e on a goroutine whose slot Enter did not find.
//
//go:norace
func away(e entry) Scope {
	if e.zone == nil && e.pc == 0 {
		return Scope{} // a nil *Zone
	}
	var l *Lane
	if finding.sealed.Load() { // before the clock is read, as for a muted entry
		if _, record, id := platform.FindIdentity(); countsAway(e.key, record, id) {
			return Scope{}
		}
		record, crowded := uint64(0), uint64(0)
		if l, record, crowded = sealedLane(); crowded != 0 {
			noteUnmeasured(e, record, crowded)
			return Scope{}
		}
	}
	since := platform.Ticks(0)
	if !platform.Custom() {
		since = platform.Now()
	}
	if l == nil {
		l = locateAt(since)
	}
	if l == nil {
		if !isLeftOut() {
			record, id := platform.Identity()
			noteUnmeasured(e, record, id)
		}
		return Scope{}
	}
	s := l.slot
	t := s.Now()
	n := kid(s, e.key)
	if since != 0 {
		l.slowTime.AddStart(since, t, calibrated())
	}
	if n == nil || t < s.Last || n.acc < 0 || l.governed != nil {
		return beginSlow(s, t, e)
	}
	if n.flag&flagMuted != 0 {
		unused(s)
		return n.hush()
	}
	l.open(n, t)
	used(s, &s.Last, t)
	return scopeOf(n)
}

// countsAway counts an entry of a goroutine that has a cell instead of a lane: see crowdCell.
//
//go:norace
func countsAway(key, record, id uint64) bool {
	return finding.sealed.Load() && !finding.manual.Load() && id != finding.leftOut.Load() &&
		platform.Epoch() == atomic.LoadUint32(&finding.epoch) && unmeasured.crowd.addOwn(key, record, id)
}

// inSlow is the slow path of In. It checks that the lane is the calling goroutine's.
//
//go:norace
//go:noinline
func inSlow(l *Lane, t platform.Ticks, z *Zone) Scope {
	if s := l.slot; s.Lane == nil || (*Lane)(s.Lane) != l {
		return begin(z) // closed
	} else if s.ID == platform.Goroutine() {
		return beginSlow(s, platform.Now(), entry{key: zoneKey(z), zone: z})
	}
	return inElsewhere(z)
}

// inElsewhere is In with another goroutine's lane, which is misuse. It enters z on the calling goroutine's own lane.
//
//go:norace
//go:noinline
func inElsewhere(z *Zone) Scope {
	if z != nil {
		zone, _ := zones.of(z)
		noteMisuse(mistakes.OtherLane, zone)
	}
	return begin(z)
}

// beginSlow is Begin's slow path. The node has many siblings, or must be made, or an open node counts the entry as its
// own, the clock went back, or a scope was left open. The first case is not rare, so it repeats the steps of begin.
//
//go:norace
//go:noinline
func beginSlow(s *platform.Slot, t platform.Ticks, e entry) Scope {
	at, l := (*node)(s.Cur), (*Lane)(s.Lane)
	if at.flag&(flagFolded|flagPiled) != 0 {
		if scope := beginFolded(s, e.key); scope.p != nil {
			return scope
		}
	}
	if l != nil {
		n := l.wide.find(at, e.key)
		if n != nil && n.acc >= 0 && n.flag&flagsUnusual == 0 {
			if t >= s.Last {
				s.Cur = unsafe.Pointer(n)
				storeTicks(&n.acc, n.acc-t)
				n.count++
				used(s, &s.Last, t)
				return scopeOf(n)
			}
			if scope := beginWide(s, t, n); scope.p != nil {
				return scope
			}
		}
	}
	return beginSlowly(s, t, e)
}

// beginFolded is beginSlow below a node that counts entries as its own. It needs neither the time nor the mutex. It
// returns a zero Scope if there is something else to do on the slow path.
//
//go:norace
func beginFolded(s *platform.Slot, key uint64) Scope {
	n, l := (*node)(s.Cur), (*Lane)(s.Lane)
	if l == nil || asked(s) || key == keyRoot { // a nil *Zone
		return Scope{}
	}
	if n.flag&flagFolded != 0 {
		unused(s)
		return l.fold(n)
	}
	if n.key != key || !l.isDeep(n) {
		return Scope{}
	}
	unused(s)
	x := n.extra.Load()
	x.piled++
	n.count++
	return scopeOf(x.token)
}

// beginSlowly is beginSlow for all other cases than a node in the lane's table, or one that counts the entry, with
// nothing else to do.
//
//go:norace
//go:noinline
func beginSlowly(s *platform.Slot, t platform.Ticks, e entry) Scope {
	if e.zone == nil && e.pc == 0 {
		return unused(s)
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
	since, nodes := t, len(l.base)
	t = l.catchUp(l.border(t))
	scope := l.enter(l.at(), t, e)
	l.rearm(t)
	if len(l.base) > nodes && !platform.Custom() {
		l.slowTime.AddFirst(since, platform.Now(), calibrated())
	} else {
		l.addSlow(since)
	}
	return scope
}

// enter opens e below parent.
//
//go:norace
func (l *Lane) enter(parent *node, t platform.Ticks, e entry) Scope {
	if parent.flag&flagFolded != 0 {
		return l.fold(parent)
	}
	if parent.flag&flagPiled != 0 && parent.key == e.key {
		return l.pileOn(parent, t)
	}
	n := l.formFor(parent, e.key)
	if n == nil {
		n = l.find(parent, e.key)
	}
	if n == nil {
		if n = l.resolve(parent, e); n == nil {
			dropped.nodes.Add(1)
			return Scope{}
		}
		if n == parent {
			return l.pileOn(n, t)
		}
	}
	if n.flag&flagMuted != 0 {
		return n.hush()
	}
	if n.flag&flagUntimed != 0 {
		l.moveTo(n)
		n.count++
		return scopeOf(n)
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
		l.notePile(n, t)
	}
	return scopeOf(n)
}

//go:norace
func (l *Lane) open(n *node, t platform.Ticks) {
	if n.flag&flagQuiet != 0 {
		l.unsettle(n)
	}
	l.moveTo(n)
	storeTicks(&n.acc, n.acc-t)
	n.count++
	l.logEvent(n, t, 0)
}

// addSlow adds the time since a reading to the time of slow paths: see LaneFrame.Slow. The lane's goroutine calls it.
// It does not read a clock set by SetClock, whose readings are the program's business.
//
//go:norace
func (l *laneStack) addSlow(since platform.Ticks) {
	if !platform.Custom() {
		l.slowTime.AddSince(since, calibrated())
	}
}

var lastCalibration governor.Latest

// calibrated returns the last result of Calibrate.
func calibrated() governor.Calibration { return lastCalibration.Load() }

var beat governor.Beat

// wake resumes the governor's beats.
func wakeBeat() {
	if beat.Resting() {
		beat.Wake()
	}
}
