package process

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// stateSum is the time in states of one kind and reason, on the lane that ends the frames.
type stateSum struct {
	kind     gather.StateKind
	reason   string
	ms, most float64
	longest  gather.LaneState
}

// addState adds the state that explains the excess, where states are known, from package wait or an execution
// trace. It is the second cause, or in place of a hint. A state that always takes long explains nothing.
func (f *finder) addState(dst *Verdict) {
	if !f.states.Any() || len(dst.Causes) == 0 || dst.Causes[0].Kind == CauseSpread ||
		dst.Causes[0].Kind == CauseGPU {
		return
	}
	sums, _ := f.stateSums(f.sums[:0], f.frames)
	f.sums = sums
	n, usual, known := float64(len(f.frames)), []stateSum(nil), 0
	if len(sums) > 0 {
		usual, known = f.stateSums(nil, f.usual.frames)
	}
	best, most, often := -1, 0.0, -1.0
	for i := range sums {
		ms, least, before := sums[i].ms/n, sums[i].share()*dst.Excess, -1.0
		gone := sums[i].kind == gather.StateGone // whatever the goroutine was about to do
		if known < leastUsual && !gone {
			least = max(least, dst.Time/2)
		} else if known >= leastUsual {
			at := slices.IndexFunc(usual, sums[i].like)
			if before = 0; at >= 0 {
				before = usual[at].ms / float64(known)
			}
			least += before
		}
		if ms < least || ms <= most && !gone {
			continue
		}
		if best, most, often = i, ms, before; gone {
			break
		}
	}
	if best < 0 {
		return
	}
	dst.Causes = dst.Causes[:1]
	c := f.newCause(dst, CauseState, max(dst.Causes[0].Path, 0))
	c.State, c.Time, c.Usual, c.Excess = sums[best].longest, most, often, most-max(often, 0)
	if c.Lane = c.State.By; c.State.Waker != 0 {
		if at, ok := f.lanes.Index[c.State.Waker]; ok {
			c.Lane = f.lanes.List[at].Name
		}
	}
}

// blameMachine makes time that the machine took away the only cause of an excess, if it explains that. It reports
// whether it does.
func (f *finder) blameMachine(dst *Verdict) bool {
	if !f.states.Any() {
		return false
	}
	sums, _ := f.stateSums(f.sums[:0], f.frames)
	f.sums = sums
	for i := range sums {
		q, ms := &sums[i], sums[i].ms/float64(len(f.frames))
		if q.kind == gather.StateGone && q.longest.OfMachine() && ms >= mainShare*dst.Excess {
			dst.Causes = dst.Causes[:0]
			c := f.newCause(dst, CauseState, 0)
			c.State, c.Time, c.Usual, c.Excess = q.longest, ms, -1, ms
			return true
		}
	}
	return false
}

// share is the least share of an excess that a state explains. The collector's part is shown as its pauses are. A stop
// of the process is never usual.
func (a *stateSum) share() float64 {
	switch a.kind {
	case gather.StateAssist, gather.StateStopped:
		return leastPart
	case gather.StateGone:
		return mainShare
	}
	return slackShare
}

// like reports whether two sums are of the same kind and reason.
func (a *stateSum) like(b stateSum) bool { return a.kind == b.kind && a.reason == b.reason }

// stateSums sums up the states of the updating lane in frames, without running. known is the number of frames in which
// it has states.
func (f *finder) stateSums(sums []stateSum, frames []*history.Frame) (_ []stateSum, known int) {
	for _, p := range frames {
		updater, any := p.UpdatedBy(f.lanes), false
		f.states.Each(p.From, p.To, func(q *gather.LaneState) {
			own := q.Lane == updater && updater != 0
			any = any || own
			whole := q.Lane == 0 && (q.Kind == gather.StateStopped || q.Kind == gather.StateGone)
			if q.Kind == gather.StateRunning || !own && !whole {
				return
			}
			ms := float64(min(q.End, p.To)-max(q.Begin, p.From)) * p.PerTick
			at := slices.IndexFunc(sums, func(a stateSum) bool { return a.kind == q.Kind && a.reason == q.Reason })
			if at < 0 {
				at = len(sums)
				sums = append(sums, stateSum{kind: q.Kind, reason: q.Reason})
			}
			sum := &sums[at]
			if sum.ms += ms; ms > sum.most {
				sum.most, sum.longest = ms, *q
			}
		})
		if any {
			known++
		}
	}
	return sums, known
}
