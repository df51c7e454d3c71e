package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// SetMemoryMode sets, from the next frame on, how much of the program's memory is measured. It does nothing in a
// session that WriteFrame feeds. For the modes and their cost see gather.MemoryMode. Any goroutine may call it.
func (s *Session) SetMemoryMode(m gather.MemoryMode) {
	s.change()
	running := s.store.Running()
	s.mu.Unlock()
	if running {
		gather.SetMemoryMode(m)
	}
}

// MemoryMode returns the mode of SetMemoryMode. In a session that WriteFrame feeds, it returns the mode of the newest
// frame. Any goroutine may call it.
func (s *Session) MemoryMode() gather.MemoryMode {
	s.lock()
	defer s.mu.Unlock()
	return s.store.MemoryMode()
}

// dumpValues returns the series of all numbers. Their totals include the unfinished frames. A number that is only in
// them has an empty series.
func (d *dumped) dumpValues(frames int) []report.ValueSeries {
	s := d.session
	all := s.store.AppendValueSeries(nil, frames)
	for _, f := range s.sums.unfinished() {
		s.store.Numbers.Begin(f)
		s.store.Numbers.Each(f, func(at int, v float64, known bool) {
			if known {
				all = s.store.Numbers.AddTotal(all, at, v)
			}
		})
	}
	return all
}
