package process

import "time"

// SetBudget sets the time that a zone may take in a frame, with what it calls. Rows that take longer are red in
// windows, and have the remark "over 2 ms". A time of 0 or less is no budget, as at first. A zone id that the session
// does not know is ignored. Captures do not have it. Any goroutine may call it.
//
// For a file with the frames around a zone that takes too long, see the field Zones of capture.BlackBoxOptions.
func (s *Session) SetBudget(zone ZoneID, d time.Duration) {
	s.change()
	defer s.mu.Unlock()
	if zone < 0 || int(zone) >= len(s.zones) {
		return
	}
	if missing := int(zone) + 1 - len(s.zoneBudgets); missing > 0 {
		s.zoneBudgets = append(s.zoneBudgets, make([]time.Duration, missing)...)
	}
	s.zoneBudgets[zone] = max(d, 0)
}

// Budget returns the time that a zone may take in a frame, 0 if any. Any goroutine may call it.
func (s *Session) Budget(zone ZoneID) time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.zoneBudgets.of(zone)
}

// zoneBudgets has the budgets by zone. It ends with the last zone that had one.
type zoneBudgets []time.Duration

func (b zoneBudgets) of(zone ZoneID) time.Duration {
	if zone < 0 || int(zone) >= len(b) {
		return 0
	}
	return b[zone]
}
