// Package zoneset has sets of zones, which are asked far more often than they change.
package zoneset

import (
	"sync"
	"sync/atomic"
)

// Set is a set of zones by id. A zone may be in it several times. The zero value is empty. Any goroutine may call its
// methods.
type Set[Zone ~int32] struct {
	any   atomic.Bool
	mu    sync.RWMutex
	times map[Zone]int // how often each is in the set, never 0
}

// Add adds a zone once, or takes it out once.
func (s *Set[Zone]) Add(zone Zone, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.set(zone, s.times[zone]+1)
	} else {
		s.set(zone, s.times[zone]-1)
	}
}

// Put has a zone in the set once, or not at all. It reports whether that changed the set.
func (s *Set[Zone]) Put(zone Zone, on bool) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if changed = (s.times[zone] > 0) != on; on {
		s.set(zone, 1)
	} else {
		s.set(zone, 0)
	}
	return changed
}

func (s *Set[Zone]) set(zone Zone, times int) {
	if s.times == nil {
		s.times = make(map[Zone]int)
	}
	if delete(s.times, zone); times > 0 {
		s.times[zone] = times
	}
	s.any.Store(len(s.times) > 0)
}

// MoveTo puts all zones in another set and empties this one.
func (s *Set[Zone]) MoveTo(other *Set[Zone]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for zone := range s.times {
		other.Put(zone, true)
		s.set(zone, 0)
	}
}

// Any reports whether there is a zone in the set.
func (s *Set[Zone]) Any() bool { return s.any.Load() }

// Has reports whether a zone is in the set. While the set is empty, it takes no lock.
func (s *Set[Zone]) Has(zone Zone) bool {
	if !s.Any() {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.times[zone] > 0
}
