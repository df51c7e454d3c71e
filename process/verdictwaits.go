package process

// addWaits adds a hint as the second cause: the waits of all goroutines for a processor or for locks, if they explain
// the excess and nothing else stands there. Their sum may be of other goroutines, so it never comes first.
func (f *finder) addWaits(dst *Verdict) {
	if len(dst.Causes) != 1 || dst.Causes[0].Kind == CauseSpread {
		return
	}
	queue, locks, n := 0.0, 0.0, float64(len(f.frames))
	for _, p := range f.frames {
		queue, locks = queue+float64(p.RunQueue)/n, locks+float64(p.LockWait)/n
	}
	kind, time, usual := CauseProcessor, queue, f.usual.queue
	if locks-f.usual.locks.mid > queue-usual.mid {
		kind, time, usual = CauseLocks, locks, f.usual.locks
	}
	if time-usual.mid < slackShare*dst.Excess {
		return
	}
	c := f.newCause(dst, kind, 0)
	c.Name, c.Time, c.Usual, c.Spread, c.Excess = "", time, usual.mid, usual.spread, time-usual.mid
}
