package process

// addWaits adds a hint as the second cause: the waits of all goroutines for a processor or for locks, if they explain
// the excess and nothing else stands there. Their sum may be of other goroutines, so it never comes first.
func (s *Session) addWaits(dst *Verdict) {
	t := &s.trial
	if len(dst.Causes) != 1 || dst.Causes[0].Kind == CauseSpread {
		return
	}
	queue, locks, n := 0.0, 0.0, float64(len(t.frames))
	for _, p := range t.frames {
		queue, locks = queue+float64(p.RunQueue)/n, locks+float64(p.LockWait)/n
	}
	kind, time, usual := CauseProcessor, queue, t.usual.queue
	if locks-t.usual.locks.mid > queue-usual.mid {
		kind, time, usual = CauseLocks, locks, t.usual.locks
	}
	if time-usual.mid < slackShare*dst.Excess {
		return
	}
	c := s.newCause(dst, kind, 0)
	c.Name, c.Time, c.Usual, c.Spread, c.Excess = "", time, usual.mid, usual.spread, time-usual.mid
}
