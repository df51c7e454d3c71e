package process

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// followLane brings the history of a lane up to date. It uses s.touched.
func (s *store) followLane(id report.LaneID) *history.LaneHistory {
	l, h := &s.lane, &s.past
	if l.Of != id || len(l.Past.Gap.Lost) != h.Want || l.Next < h.First() || l.Next > h.Next {
		*l = history.NewLaneHistory(id, h.First(), h.Want)
	}
	place := s.lanePlace(id)
	for ; l.Next < h.Next; l.Next++ {
		p := h.At(l.Next)
		l.Past.Gap.Put(p.Seq, p.Lost)
		s.touched.Take(p, place, &s.tree, len(s.zones)) // nothing, if it is lost
		l.Past.Remember(p.Seq, &s.touched, &s.tree)
		l.Busy.Put(p.Seq, float32(s.busyOn(p, place)))
		for i := range p.Lanes {
			l.Led = l.Led || p.Lanes[i].Updater && p.Lanes[i].Place == place
		}
	}
	l.Trim(h.First())
	return l
}

// busyOn returns the time in ms that a lane worked in a frame. On the lane that ends the frames it is the frame's. Time
// outside zones on other lanes is idle.
func (s *store) busyOn(p *history.Frame, lane int32) (busy float64) {
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

// busyIn returns the time that the lane of a view worked in the frame p of the view, or the mean over its frames.
func (s *builder) busyIn(v *report.View, p *history.Frame) (busy float64) {
	switch {
	case v.Through():
		l := s.followLane(v.Lane)
		for _, seq := range s.lens.Frames {
			busy += float64(l.Busy.At(seq)) / float64(len(s.lens.Frames))
		}
		return busy
	case s.smooth(v):
		return s.followLane(v.Lane).Smooth(&s.past, v.Average)
	}
	return s.busyOn(p, s.lanePlace(v.Lane))
}

// idleRoot reports whether the time outside zones is idle in the series of a lane, because it ends no frames.
func (s *store) idleRoot(lane report.LaneID) bool {
	return lane != 0 && s.lane.Of == lane && !s.lane.Led
}

// setIdleOutside notes whether the time outside zones is idle in a report: a lane alone that does not end the frame.
func (s *builder) setIdleOutside(v *report.View, p *history.Frame) {
	s.idleOutside = false
	if v.Lane == 0 || p == nil || p.Lost {
		return
	}
	place := s.lanePlace(v.Lane)
	for i := range p.Lanes {
		if p.Lanes[i].Place == place {
			s.idleOutside = !p.Lanes[i].Updater
		}
	}
}

// idle reports whether a zone of the report waits. It comes after those that work.
func (s *builder) idle(zone report.ZoneID) bool {
	return s.zones[zone].Idle || zone == 0 && s.idleOutside
}

// historyOf returns the history with the times of a view's lane. Its lane has been followed.
func (s *store) historyOf(v *report.View) *history.Ring {
	if v.Lane != 0 && s.lane.Of == v.Lane {
		return &s.lane.Past
	}
	return &s.past
}

// seenLane follows the lane of a view, for the report to come. It drops the history of a lane that is not viewed any
// more.
func (s *builder) seenLane(v *report.View) {
	if s.digest(); v.Lane != 0 {
		s.followLane(v.Lane)
	} else if v == &s.view && s.lane.Of != 0 {
		s.lane = history.LaneHistory{}
	}
}

// laneMeans sets mean and max of a row of one lane, from the frames of the lens.
func (s *builder) laneMeans(out *report.Record, r *row, v *report.View) {
	t, frames := s.laneSeries(r, v), s.lens.Frames
	if !v.Through() || t == nil || len(frames) == 0 {
		return
	}
	most, sum := 0.0, 0.0
	for _, seq := range frames {
		x := float64(t.At(seq))
		most, sum = max(most, x), sum+x
	}
	out.Values[report.ColumnMean], out.Values[report.ColumnMax] = sum/float64(len(frames)), most
	out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax)
}

// laneStatistics sets the wanted columns of a row of one lane, but for those that are set always.
func (s *builder) laneStatistics(out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	if int(r.zone) >= s.past.Zones.Len() {
		return // no frame has ended since Reset
	}
	birth := s.past.Zones.At(int(r.zone)).Birth
	if r.path > 0 {
		birth = s.tree.Paths[r.path].Birth
	}
	fill := func(columns *report.StatColumns, t *history.Series) {
		times := s.windows.Picks[:0]
		s.eachFrame(v, func(seq uint64) {
			if s.knows(t, birth, seq) {
				times = append(times, t.At(seq))
			}
		})
		s.windows.Picks = times
		fillSorted(columns, out, want, times)
	}
	if t := s.laneSeries(r, v); t != nil && !want.And(report.HistoryHier.Columns()).Empty() {
		fill(&report.HistoryHier, t)
	}
	h, self := s.historyOf(v), want.And(report.HistorySelf.Columns())
	if r.path < 0 && int(r.zone) < h.Zones.Len() && !self.Empty() {
		fill(&report.HistorySelf, &h.Zones.At(int(r.zone)).Self)
	}
}

// laneSeries returns the hierarchical time of a row per frame on the lane of a view, or nil.
func (s *builder) laneSeries(r *row, v *report.View) *history.Series {
	h := s.historyOf(v)
	switch {
	case r.path > 0 && int(r.path) < h.Paths.Len():
		return h.Paths.At(int(r.path))
	case r.path < 0 && int(r.zone) < h.Zones.Len():
		return &h.Zones.At(int(r.zone)).Hier
	}
	return nil
}

// waitedFor returns how long the goroutine that ended a frame waited for others, in ms, and the place in Lanes.List of
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
func (s *builder) setJoined(i *report.FrameInfo, v *report.View, p *history.Frame, mean float64) {
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
