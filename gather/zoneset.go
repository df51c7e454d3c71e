//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/internal/quiet"
)

// zoneSet is a set of zones by id, which is asked far more often than it changes. A zone may be in it several times.
// The zero value is empty. Any goroutine may call its methods.
type zoneSet struct {
	any   atomic.Bool
	mu    quiet.RWMutex
	times quiet.Index // how often each is in the set
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

// put makes the zone be in the set once, or not at all. It reports whether that changed the set.
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

// set makes the zone be in the set so often. The mutex is held.
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

// timesOf returns how often a zone is in the set. The mutex is held.
func (s *zoneSet) timesOf(zone ZoneID) int32 {
	times, _ := s.times.Find(zoneAddress(zone))
	return times
}

// zoneAddress makes a zone's number an address for an Index, which is not 0.
func zoneAddress(zone ZoneID) uintptr { return uintptr(uint32(zone)) + 1 }

// hasAny reports whether there is a zone in the set.
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
