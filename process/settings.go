package process

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
)

// SetMuted mutes or unmutes a zone in the running program: see measure.SetMuted. It does nothing in a session that
// WriteFrame feeds, whose ids are another program's. Any goroutine may call it.
func (s *Session) SetMuted(zone gather.ZoneID, on bool) {
	s.lock()
	running := s.store.Running()
	s.mu.Unlock()
	if running {
		measure.SetMuted(zone, on)
	}
}

// Muted reports whether SetMuted has muted a zone. Any goroutine may call it.
func (s *Session) Muted(zone gather.ZoneID) bool {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Running() && measure.Muted(zone)
}

// SetBudget sets the hierarchical time that a zone may take in a frame. Rows that take longer are red in windows, and
// have the remark "over 2 ms". 0 or less, which is the default, means no budget. A zone id that the session does not
// know is ignored. Captures and streams carry the budget. Any goroutine may call it.
//
// For a file with the frames around a zone that takes too long, see the field Zones of capture.BlackBoxOptions.
func (s *Session) SetBudget(zone report.ZoneID, d time.Duration) {
	s.change()
	defer s.mu.Unlock()
	if zone < 0 || int(zone) >= len(s.store.Zones) {
		return
	}
	s.store.ZoneBudgets.Set(zone, d)
	s.frames.settings.budgets = s.store.ZoneBudgets.List()
	s.frames.useSettings()
}

// Budget returns the time that a zone may take in a frame, 0 if it has no budget. Any goroutine may call it.
func (s *Session) Budget(zone report.ZoneID) time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.store.ZoneBudgets.Of(zone)
}
