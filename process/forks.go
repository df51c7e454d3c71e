package process

import (
	"cmp"
	"slices"
	"time"
)

// SetSpawns says what returns the program's go statements, for Dump.Forks: see package auto. The function must not call
// the session. nil, the default, is none. Any goroutine may call SetSpawns, and the session calls the function on any.
func (s *Session) SetSpawns(spawns func() []Spawn) {
	s.change()
	defer s.mu.Unlock()
	s.spawns = spawns
}

// Forks returns the go statements of SetSpawns and their times, those with the most Forked first: as Dump.Forks, but
// without the rest. Any goroutine may call it.
func (s *Session) Forks() []Fork {
	s.lock()
	defer s.mu.Unlock()
	return dumpOf(s).forks()
}

func (d *dumped) forks() []Fork {
	if d.spawns == nil {
		return nil
	}
	spawns := d.spawns()
	if len(spawns) == 0 {
		return nil
	}
	list := Forks(fillDump(d, DumpOptions{NoHistory: true, AllLanes: true}, time.Now()), spawns)
	slices.SortStableFunc(list, func(a, b Fork) int { return cmp.Compare(b.Forked, a.Forked) })
	return list
}
