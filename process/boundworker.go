package process

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// waitedFor returns how long the goroutine that ended a frame waited for others, in ms, and the place in lanes.list of
// the one it waited for longest, -1 if it did not or that is not known.
func (s *Session) waitedFor(p *pastFrame) (ms float64, lane int32) {
	if p.lost || p.length-p.busy < report.Alike*p.length {
		return 0, -1
	}
	if ms, lane, known := s.waitedInStates(p); known {
		return ms, lane
	}
	lane, best := -1, report.Alike*p.length
	for i := range p.lanes {
		l := &p.lanes[i]
		if !l.worker() {
			continue
		}
		busy := p.busyOf(l)
		if off := math.Abs(busy - (p.length - p.busy)); off <= best && busy < report.BoundShare*p.length {
			ms, lane, best = busy, l.place, off
		}
	}
	return ms, lane
}

// busyOf returns the time in ms in the zones of a lane that are not idle.
func (p *pastFrame) busyOf(l *laneRecords) (busy float64) {
	for _, r := range p.records[l.from+1 : l.to] {
		if r.path&idleBit == 0 {
			busy += float64(r.self)
		}
	}
	return busy * p.perTick
}

// waitedInStates is waitedFor by the states of the goroutine. They are not known if it has none that it waited in.
func (s *Session) waitedInStates(p *pastFrame) (ms float64, lane int32, known bool) {
	if lane = -1; !s.states.any() {
		return 0, lane, false
	}
	updater, sums := p.updatedBy(&s.lanes), s.wakers[:0]
	s.states.each(p.from, p.to, func(q *gather.LaneState) {
		if q.Lane != updater || q.Kind != gather.StateWaiting {
			return
		}
		if known = true; q.Waker == 0 || q.Waker == updater {
			return
		}
		at := slices.IndexFunc(sums, func(w waker) bool { return w.lane == q.Waker })
		if at < 0 {
			at = len(sums)
			sums = append(sums, waker{lane: q.Waker})
		}
		part := float64(min(q.End, p.to)-max(q.Begin, p.from)) * p.perTick
		sums[at].ms += part
		ms += part
	})
	s.wakers = sums
	most := 0.0
	for _, w := range sums {
		if at, ok := s.lanes.index[w.lane]; ok && w.ms > most {
			most, lane = w.ms, int32(at)
		}
	}
	return ms, lane, known
}

// waker is a goroutine that ended waits of another, and how long these were.
type waker struct {
	lane gather.LaneID
	ms   float64
}

// setJoined fills in whom the frames of a view waited for. Means have no name: it changes from frame to frame.
func (s *Session) setJoined(i *FrameInfo, v *View, p *pastFrame, mean float64) {
	if v.Lane != 0 {
		return
	}
	if i.Joined = mean; i.Averaged() {
		return
	}
	lane := int32(-1)
	if i.Joined, lane = s.waitedFor(p); lane >= 0 {
		i.Worker = s.lanes.list[lane].name
	}
}
