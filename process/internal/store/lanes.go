package store

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// FollowLane brings the history of a lane up to date. It uses Touched of the store.
func (k *Looker) FollowLane(id report.LaneID) *history.LaneHistory {
	s, l, h := k.store, &k.Lane, &k.store.Past
	if l.Of != id || len(l.Past.Gap.Lost) != h.Want || l.Next < h.First() || l.Next > h.Next {
		*l = history.NewLaneHistory(id, h.First(), h.Want)
	}
	place := s.LanePlace(id)
	for ; l.Next < h.Next; l.Next++ {
		p := h.At(l.Next)
		l.Past.Gap.Put(p.Seq, p.Lost)
		s.Touched.Take(p, place, &s.Tree, len(s.Zones)) // empty if the records are lost
		l.Past.Remember(p.Seq, &s.Touched, &s.Tree)
		l.Busy.Put(p.Seq, float32(s.BusyOn(p, place)))
		for i := range p.Lanes {
			l.Led = l.Led || p.Lanes[i].Updater && p.Lanes[i].Place == place
		}
	}
	l.Trim(h.First())
	return l
}

// BusyOn returns the busy time of a lane in a frame, in ms. For the lane that ends the frames it is the frame's busy
// time. Time outside zones on other lanes is idle.
func (s *Store) BusyOn(p *history.Frame, lane int32) (busy float64) {
	for i := range p.Lanes {
		l := &p.Lanes[i]
		if l.Place != lane {
			continue
		}
		if l.Updater {
			return p.BusyMS
		}
		busy += p.BusyOf(l)
	}
	return busy
}

// IdleRoot reports whether the time outside zones is idle in the series of a lane, because it ends no frames.
func (k *Looker) IdleRoot(lane report.LaneID) bool {
	return lane != 0 && k.Lane.Of == lane && !k.Lane.Led
}

// HistoryOf returns the history with the times of a view's lane. Its lane has been followed.
func (k *Looker) HistoryOf(v *report.View) *history.Ring {
	if v.Lane != 0 && k.Lane.Of == v.Lane {
		return &k.Lane.Past
	}
	return &k.store.Past
}

// WaitedFor returns the time that the goroutine which ended a frame waited for others, in ms, and the place in
// Lanes.List of the goroutine that it waited for longest, or -1.
func (s *Store) WaitedFor(p *history.Frame) (ms float64, lane int32) {
	if p.Lost || !p.Waited() {
		return 0, -1
	}
	if ms, lane, known := s.waitedInStates(p); known {
		return ms, lane
	}
	return p.Likely()
}

// waitedInStates is WaitedFor by the states of the goroutine. known is false if it has no waiting states.
func (s *Store) waitedInStates(p *history.Frame) (ms float64, lane int32, known bool) {
	if lane = -1; !s.States.Any() {
		return 0, lane, false
	}
	updater, sums := p.UpdatedBy(&s.Lanes), s.wakers[:0]
	s.States.Each(p.From, p.To, func(q *gather.LaneState) {
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
		if at, ok := s.Lanes.Index[w.Lane]; ok && w.Ms > most {
			most, lane = w.Ms, int32(at)
		}
	}
	return ms, lane, known
}
