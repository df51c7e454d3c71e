package process

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// waitedFor returns how long the goroutine that ended a frame waited for others, in ms, and the place in lanes.list of
// the one it waited for longest, -1 if it did not or that is not known.
func (s *store) waitedFor(p *history.Frame) (ms float64, lane int32) {
	if p.Lost || p.LengthMS-p.BusyMS < report.Alike*p.LengthMS {
		return 0, -1
	}
	if ms, lane, known := s.waitedInStates(p); known {
		return ms, lane
	}
	lane, best := -1, report.Alike*p.LengthMS
	for i := range p.Lanes {
		l := &p.Lanes[i]
		if !l.Worker() {
			continue
		}
		busy := p.BusyOf(l)
		if off := math.Abs(busy - (p.LengthMS - p.BusyMS)); off <= best && busy < report.BoundShare*p.LengthMS {
			ms, lane, best = busy, l.Place, off
		}
	}
	return ms, lane
}

// waitedInStates is waitedFor by the states of the goroutine. They are not known if it has none that it waited in.
func (s *store) waitedInStates(p *history.Frame) (ms float64, lane int32, known bool) {
	if lane = -1; !s.states.Any() {
		return 0, lane, false
	}
	updater, sums := p.UpdatedBy(&s.lanes), s.wakers[:0]
	s.states.Each(p.From, p.To, func(q *gather.LaneState) {
		if q.Lane != updater || q.Kind != gather.StateWaiting {
			return
		}
		if known = true; q.Waker == 0 || q.Waker == updater {
			return
		}
		at := slices.IndexFunc(sums, func(w history.Waker) bool { return w.Lane == q.Waker })
		if at < 0 {
			at = len(sums)
			sums = append(sums, history.Waker{Lane: q.Waker})
		}
		part := float64(min(q.End, p.To)-max(q.Begin, p.From)) * p.PerTick
		sums[at].Ms += part
		ms += part
	})
	s.wakers = sums
	most := 0.0
	for _, w := range sums {
		if at, ok := s.lanes.Index[w.Lane]; ok && w.Ms > most {
			most, lane = w.Ms, int32(at)
		}
	}
	return ms, lane, known
}

// setJoined fills in whom the frames of a view waited for. Means have no name: it changes from frame to frame.
func (s *store) setJoined(i *FrameInfo, v *View, p *history.Frame, mean float64) {
	if v.Lane != 0 {
		return
	}
	if i.Joined = mean; i.Averaged() {
		return
	}
	lane := int32(-1)
	if i.Joined, lane = s.waitedFor(p); lane >= 0 {
		i.Worker = s.lanes.List[lane].Name
	}
}
