//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/quiet"
)

// zoneSet is a multiset of zone ids, optimised for reading. The zero value is empty. Any goroutine may call its
// methods.
type zoneSet struct {
	any   atomic.Bool
	mu    quiet.RWMutex
	times quiet.Index // multiplicity of each zone
	inSet int         // zones
}

// add adds or removes the zone, once.
func (s *zoneSet) add(zone ZoneID, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.set(zone, s.timesOf(zone)+1)
	} else {
		s.set(zone, s.timesOf(zone)-1)
	}
}

// put sets the zone's multiplicity to 1 or 0. It reports whether that changed the set.
func (s *zoneSet) put(zone ZoneID, on bool) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if changed = (s.timesOf(zone) > 0) != on; on {
		s.set(zone, 1)
	} else {
		s.set(zone, 0)
	}
	return changed
}

// set sets the multiplicity of a zone. The mutex is held.
func (s *zoneSet) set(zone ZoneID, times int32) {
	was, times := s.timesOf(zone), max(times, 0)
	if was == times {
		return
	}
	if s.times.Set(zoneAddress(zone), times); was == 0 {
		s.inSet++
	} else if times == 0 {
		s.inSet--
	}
	s.any.Store(s.inSet > 0)
}

// timesOf returns the multiplicity of a zone. The mutex is held.
func (s *zoneSet) timesOf(zone ZoneID) int32 {
	times, _ := s.times.Find(zoneAddress(zone))
	return times
}

// zoneAddress converts a zone's number to a non-zero address for an Index.
func zoneAddress(zone ZoneID) uintptr { return uintptr(uint32(zone)) + 1 }

// hasAny reports whether the set has any zones.
func (s *zoneSet) hasAny() bool { return s.any.Load() }

// has reports whether a zone is in the set. While the set is empty, it takes no lock.
func (s *zoneSet) has(zone ZoneID) bool {
	if !s.hasAny() {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.timesOf(zone) > 0
}
