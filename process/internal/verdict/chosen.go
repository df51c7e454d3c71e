package verdict

import "example.com/iprof/process/report"

// addChosen adds a wait that the program chose to the causes, if states of its goroutine tell of one. It returns the
// candidate that most likely waited, the one with the greatest excess, and for how much longer. If zones that wait took
// as much longer, it was theirs.
func (f *Finder) addChosen(dst *report.Verdict) (at int32, ms float64) {
	best, most, often := f.longestState(dst, true)
	if best < 0 {
		return 0, 0
	}
	longer := 0.0
	for i := 1; i < len(f.candidates); i++ {
		switch q := &f.candidates[i]; {
		case !f.judged(q.path):
			longer += q.selfExcess
		case at == 0 || q.selfExcess > f.candidates[at].selfExcess:
			at = int32(i)
		}
	}
	ms = most - max(often, 0) - min(longer, 0) // in a late frame they waited less
	ms = min(ms, f.candidates[at].selfExcess)
	if at == 0 || ms < leastPart*dst.Excess || longer >= slackShare*ms {
		return 0, 0
	}
	c := f.newCause(dst, report.CauseWaiting, f.candidates[at].path)
	c.Chosen, c.State = true, f.sums[best].longest
	c.Time, c.Usual, c.Excess = most, often, ms
	f.away.time = min(f.away.time, f.away.length-most) // it had no use for a processor
	f.away.excess = min(f.away.excess, dst.Excess-ms)
	return at, ms
}

// takeChosen takes such a wait off its candidate.
func (f *Finder) takeChosen(at int32, ms float64) {
	f.subtract(at, ms)
	q := &f.candidates[at]
	q.self, q.hier, q.selfExcess = q.self-ms, q.hier-ms, q.selfExcess-ms
}
