//go:build !iprof_off

package gather

import (
	"sync"
	"sync/atomic"
)

// zoneSet is a set of zones by id, which is asked far more often than it changes. A zone may be in it several times.
// The zero value is empty. Any goroutine may call its methods.
type zoneSet struct {
	any   atomic.Bool
	mu    sync.RWMutex
	times map[ZoneID]int // how often each is in the set, never 0
}

// add adds or removes the zone, once.
func (s *zoneSet) add(zone ZoneID, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.set(zone, s.times[zone]+1)
	} else {
		s.set(zone, s.times[zone]-1)
	}
}

// put makes the zone be in the set once, or not at all. It reports whether that changed the set.
func (s *zoneSet) put(zone ZoneID, on bool) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if changed = (s.times[zone] > 0) != on; on {
		s.set(zone, 1)
	} else {
		s.set(zone, 0)
	}
	return changed
}

func (s *zoneSet) set(zone ZoneID, times int) {
	if s.times == nil {
		s.times = make(map[ZoneID]int)
	}
	if delete(s.times, zone); times > 0 {
		s.times[zone] = times
	}
	s.any.Store(len(s.times) > 0)
}

// hasAny reports whether there is a zone in the set.
func (s *zoneSet) hasAny() bool { return s.any.Load() }

// has reports whether a zone is in the set. While the set is empty, it takes no lock.
func (s *zoneSet) has(zone ZoneID) bool {
	if !s.hasAny() {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.times[zone] > 0
}
