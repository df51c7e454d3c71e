package verdict

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// away is the time in which the machine gave the processor to other programs in the frames to explain, ms a frame.
type away struct {
	_            [0]func() // not comparable: the code of == would be in each program
	time, excess float64   // the mean, and its excess over the usual
	length       float64   // the mean length of the frames
	judged       float64   // their mean judged time
	atMost       bool      // time is a bound
	certain      bool      // the paths that lost more are known
	all          bool      // it may be the whole excess
}

const (
	sameTime  = 0.05 // difference of two times that may be the same, as a share of one of them
	leastAway = 0.05 // least part of the whole excess that the machine is named for
)

// measureAway measures the time away. It is 0 if the system does not report it.
func (f *Finder) measureAway() {
	mean := f.mean()
	f.away = away{length: mean.LengthMS, judged: mean.JudgedMS()}
	for _, p := range f.frames {
		f.away.atMost = f.away.atMost || p.AwayKnown == gather.AwayAtMost
		f.away.time += min(p.AwayMS, f.mayRun(p)) / float64(len(f.frames))
	}
	if f.away.excess = f.away.time; f.usual.away.mid <= measure.DisturbedShare*f.usual.length.mid {
		f.away.excess = max(0, f.away.time-f.usual.away.mid)
	} // else the usual frames are disturbed themselves, and what is left is not comparable
}

// mayRun returns the time of a frame, in ms, in which the states of its goroutine permit it to be away. A goroutine
// that waits is not away. A bound of the time away does not outweigh a system call, or the lack of a processor of Go's.
func (f *Finder) mayRun(p *history.Frame) float64 {
	may := p.LengthMS
	if !f.States.Any() || p.AwayMS <= 0 {
		return may
	}
	updater := p.UpdatedBy(f.Lanes)
	f.States.Each(p.From, p.To, func(q *gather.LaneState) {
		stands := q.Kind == gather.StateSyscall || q.Kind == gather.StateRunnable
		if q.Lane == updater && (q.Kind == gather.StateWaiting || stands && p.AwayKnown == gather.AwayAtMost) {
			may -= float64(min(q.End, p.To)-max(q.Begin, p.From)) * p.PerTick
		}
	})
	return max(0, may)
}

// takeAway takes the time away off the candidates before the search for causes, and off the verdict's excess. It
// reports whether an excess is left. wait is the candidate whose wait has been subtracted, or 0.
//
// The system does not report in which paths the time passed. What is left of the excess is most likely of one path. If
// only one has so much excess, it is the one, and all other excess was away. If one path has about as much excess as
// was away, and another about as much as is left, that one is it. Else each path is taken to have lost the same share
// of its time.
func (f *Finder) takeAway(dst *report.Verdict, wait int32) (left bool) {
	whole := f.candidates[0].excess
	for i := range f.candidates {
		if q := &f.candidates[i]; !f.judged(q.path) && q.selfExcess < 0 { // it hides the excess of others
			whole -= q.selfExcess
		}
	}
	more := f.away.excess
	if more <= 0 || more < leastAway*whole {
		f.away.excess = 0
		return true
	}
	if w := &f.candidates[wait]; wait > 0 && math.Abs(w.selfExcess-more) <= sameTime*more {
		f.away.certain = true // the end of the wait came late
		w.selfExcess, dst.Excess = 0, dst.Excess-more
		return true
	}
	rest := whole - more
	if dst.Excess = max(0, dst.Excess-more); rest < max(leastRest*whole, restSpreads*f.usual.judged.spread) {
		return false
	}
	only, found := f.onlyWith(rest, wait)
	if !found {
		only, found = f.onlyBeside(more, rest, wait)
	}
	if found {
		f.away.certain = true
		for i := range f.candidates {
			if q := &f.candidates[i]; int32(i) == only {
				f.lose(only, q.selfExcess-rest)
			} else if int32(i) != wait {
				f.lose(int32(i), q.selfExcess)
			}
		}
		return true
	}
	f.loseShares(more, wait)
	return true
}

// onlyWith returns the only candidate with at least that much excess of its own. Of waits that the program chose, it
// returns one only if nothing else has so much.
func (f *Finder) onlyWith(ms float64, wait int32) (only int32, found bool) {
	least := ms - max(sameTime*ms, f.usual.judged.spread)
	working, waiting := 0, 0
	for i := range f.candidates {
		q := &f.candidates[i]
		switch {
		case int32(i) == wait || q.selfExcess < least:
		case f.judged(q.path):
			only, working = int32(i), working+1
		case working == 0:
			only, waiting = int32(i), waiting+1
		}
	}
	return only, working == 1 || working == 0 && waiting == 1
}

// onlyBeside returns the only candidate with about an excess of rest ms, beside only one with about an excess of lost.
func (f *Finder) onlyBeside(lost, rest float64, wait int32) (only int32, found bool) {
	losers, others := 0, 0
	for i := range f.candidates {
		q := &f.candidates[i]
		if int32(i) == wait {
			continue
		}
		if math.Abs(q.selfExcess-lost) <= sameTime*lost {
			losers++
		}
		if math.Abs(q.selfExcess-rest) <= sameTime*rest {
			only, others = int32(i), others+1
		}
	}
	return only, losers == 1 && others == 1
}

// loseShares takes a time off all candidates by their self times.
func (f *Finder) loseShares(ms float64, wait int32) {
	sum := 0.0
	for i := range f.candidates {
		if q := &f.candidates[i]; int32(i) != wait && q.selfExcess > 0 {
			sum += q.self
		}
	}
	for i := range f.candidates {
		if q := &f.candidates[i]; int32(i) != wait && q.selfExcess > 0 {
			f.lose(int32(i), min(q.selfExcess, ms*q.self/sum))
		}
	}
}

// lose takes time away off a candidate.
func (f *Finder) lose(at int32, ms float64) {
	if ms <= 0 {
		return
	}
	f.subtract(at, ms)
	f.candidates[at].selfExcess -= ms
	f.candidates[at].awaySelf += ms
	for i := at; i >= 0; i = f.candidates[i].parent {
		f.candidates[i].awayTime += ms
	}
}

// addAway adds the machine to the causes of an excess, before those that it exceeds. The excess is the verdict's with
// the time away.
func (f *Finder) addAway(dst *report.Verdict, excess float64) {
	rest := dst.Excess
	dst.Excess = excess
	if f.away.excess <= 0 {
		return
	}
	if n := len(dst.Causes); n > 0 && dst.Causes[0].Kind == report.CauseSpread && rest < f.away.excess {
		dst.Causes = dst.Causes[:0]
	}
	for i := range dst.Causes {
		f.noteTaken(&dst.Causes[i])
		rest -= dst.Causes[i].Excess
	}
	f.putAway(dst)
	if len(dst.Causes) == 1 && rest >= leastRest*excess {
		dst.Rest = rest
	}
	f.orElse(dst)
}

// orElse appends the cause that there is if the machine took nothing, because a bound does not prove that it took
// anything. The cause has no excess beside the machine's.
func (f *Finder) orElse(dst *report.Verdict) {
	if !f.away.all || !f.away.atMost || len(dst.Causes) != 1 {
		return
	}
	if _, found := f.follow(dst, leastPart*dst.Excess); found {
		c := &dst.Causes[1]
		c.Taken, c.Excess = c.Excess, 0
	}
}

// noteTaken notes the part of a cause's time that was away.
func (f *Finder) noteTaken(c *report.Cause) {
	if !ownsPath(c) || c.Kind == report.CauseCollector || c.Kind == report.CauseSpread {
		return
	}
	for i := range f.candidates {
		q := &f.candidates[i]
		if q.path != c.Path {
			continue
		}
		if c.Taken = q.awayTime; c.Self || c.Kind == report.CauseWaiting {
			c.Taken = q.awaySelf
		}
		if c.Taken < leastShown*c.Time {
			c.Taken = 0
		}
		c.Certain = f.away.certain
	}
}

// putAway puts the machine among the causes.
func (f *Finder) putAway(dst *report.Verdict) {
	n := len(dst.Causes)
	c := f.newCause(dst, report.CauseAway, 0)
	c.Name = ""
	c.Time = f.away.time
	c.Whole = f.away.length
	c.AtMost = f.away.atMost
	c.Usual, c.Spread, c.Excess = f.usual.away.mid, f.usual.away.spread, min(f.away.excess, dst.Excess)
	if n == 0 || dst.Causes[0].Excess > c.Excess && (dst.Causes[0].Taken == 0 || dst.Causes[0].Certain) {
		return
	}
	for i := n; i > 0; i-- {
		dst.Causes[i], dst.Causes[i-1] = dst.Causes[i-1], dst.Causes[i]
	}
}

// lateByAway reports whether a frame that is late, also one that waited too long, would be within its budget without
// the time away.
func (f *Finder) lateByAway(dst *report.Verdict) bool {
	late := dst.Over || report.PaceOf(false, f.away.length, f.Budget) == report.PaceWaited
	return late && f.away.time >= leastPart*f.away.length && !f.over(f.away.judged-f.away.time)
}
