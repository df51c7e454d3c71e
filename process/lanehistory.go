package process

import "example.com/iprof/process/report"

// laneHistory holds the times of one lane in the frames of the history. It is made from the records while somebody
// views the lane alone, and costs nothing before. Frames that had lost their records by then are gaps.
type laneHistory struct {
	of   LaneID
	next uint64  // sequence number of the next frame to add
	past history // only zones and paths
	busy trace1  // ms
	led  bool    // it has ended a frame: its time outside zones is not idle
}

// followLane brings the history of a lane up to date. It uses s.values and s.byZone.
func (s *Session) followLane(id LaneID) *laneHistory {
	l, h := &s.lane, &s.past
	if l.of != id || len(l.busy.v) != len(h.frames) || l.next < h.first() || l.next > h.next {
		*l = laneHistory{of: id, next: h.first(), busy: trace1{v: make([]float32, len(h.frames))}}
		l.past.gap = &gaps{lost: make([]bool, len(h.frames))}
		l.busy.gap = l.past.gap
	}
	l.past.frames = h.frames
	place := s.lanePlace(id)
	for ; l.next < h.next; l.next++ {
		p := h.at(l.next)
		l.past.gap.put(p.seq, p.lost)
		if p.lost {
			s.empty()
		} else {
			s.sum(p, place)
			s.rise()
			s.gatherZones(p.seq)
		}
		l.past.remember(p.seq, s.values, s.byZone)
		l.busy.put(p.seq, float32(s.busyOn(p, place)))
		for i := range p.lanes {
			l.led = l.led || p.lanes[i].updater && p.lanes[i].place == place
		}
	}
	return l
}

// busyOn returns the time in ms that a lane worked in a frame. On the lane that ends the frames it is the frame's. Time
// outside zones on other lanes is idle.
func (s *Session) busyOn(p *pastFrame, lane int32) (busy float64) {
	for i := range p.lanes {
		l := &p.lanes[i]
		if l.place != lane {
			continue
		}
		if l.updater {
			return p.busy
		}
		busy += p.busyOf(l)
	}
	return busy
}

// busyIn returns the time that the lane of a view worked in the frame p of the view, or the mean over its frames.
func (s *Session) busyIn(v *View, p *pastFrame) (busy float64) {
	switch {
	case v.Through():
		l := s.followLane(v.Lane)
		for _, seq := range s.lens.frames {
			busy += float64(l.busy.v[seq%uint64(len(l.busy.v))]) / float64(len(s.lens.frames))
		}
		return busy
	case s.smooth(v):
		return s.followLane(v.Lane).smooth(&s.past, v.Average)
	}
	return s.busyOn(p, s.lanePlace(v.Lane))
}

// idleRoot reports whether the time outside zones is idle in the series of the view, because the lane of the view ends
// no frames.
func (s *Session) idleRoot() bool { return s.view.Lane != 0 && s.lane.of == s.view.Lane && !s.lane.led }

// setIdleOutside notes whether the time outside zones is idle in a report: a lane alone that does not end the frame.
func (s *Session) setIdleOutside(v *View, p *pastFrame) {
	s.idleOutside = false
	if v.Lane == 0 || p == nil || p.lost {
		return
	}
	place := s.lanePlace(v.Lane)
	for i := range p.lanes {
		if p.lanes[i].place == place {
			s.idleOutside = !p.lanes[i].updater
		}
	}
}

// idle reports whether a zone of the report waits. It comes after those that work.
func (s *Session) idle(zone ZoneID) bool { return s.zones[zone].Idle || zone == 0 && s.idleOutside }

// smooth returns the moving average of the busy time. Its weights are those of a smoother.
func (l *laneHistory) smooth(h *history, average Average) (busy float64) {
	left, weight := 1.0, 0.0
	for seq := h.next; seq > h.first() && left > 1e-6; seq-- {
		keep := remains(h.at(seq-1).length/1000, settling[average])
		w := left * (1 - keep)
		if !l.busy.known(seq - 1) {
			w = 0
		}
		busy += w * float64(l.busy.v[(seq-1)%uint64(len(l.busy.v))])
		left, weight = left*keep, weight+w
	}
	if weight == 0 {
		return 0
	}
	return busy / weight
}

// historyOf returns the history with the times of a view's lane. Its lane has been followed.
func (s *Session) historyOf(v *View) *history {
	if v.Lane != 0 && s.lane.of == v.Lane {
		return &s.lane.past
	}
	return &s.past
}

// seenLane follows the lane of a view, for the report to come. It drops the history of a lane that is not viewed any
// more.
func (s *Session) seenLane(v *View) {
	if s.digest(); v.Lane != 0 {
		s.followLane(v.Lane)
	} else if v == &s.view && s.lane.of != 0 {
		s.lane = laneHistory{}
	}
}

// laneMeans sets mean and max of a row of one lane, from the frames of the lens.
func (s *Session) laneMeans(out *Record, r *row, v *View) {
	t, frames := s.laneTrace(r, v), s.lens.frames
	if !v.Through() || t == nil || len(frames) == 0 {
		return
	}
	most, sum := 0.0, 0.0
	for _, seq := range frames {
		x := float64(t.v[seq%uint64(len(t.v))])
		most, sum = max(most, x), sum+x
	}
	out.Values[ColumnMean], out.Values[ColumnMax] = sum/float64(len(frames)), most
	out.Mask = out.Mask.With(ColumnMean, ColumnMax)
}

// laneStatistics sets the wanted columns of a row of one lane, but for those that are set always.
func (s *Session) laneStatistics(out *Record, r *row, v *View, want ColumnSet) {
	if int(r.zone) >= len(s.past.zones) {
		return // no frame has ended since Reset
	}
	birth := s.past.zones[r.zone].birth
	if r.path > 0 {
		birth = s.tree.paths[r.path].birth
	}
	fill := func(columns *report.StatColumns, t *trace1) {
		times := s.windows.picks[:0]
		s.eachFrame(v, func(seq uint64) {
			if s.knows(t, birth, seq) {
				times = append(times, t.v[seq%uint64(len(t.v))])
			}
		})
		s.windows.picks = times
		fillSorted(columns, out, want, times)
	}
	if t := s.laneTrace(r, v); t != nil && !want.And(report.HistoryHier.Columns()).Empty() {
		fill(&report.HistoryHier, t)
	}
	h, self := s.historyOf(v), want.And(report.HistorySelf.Columns())
	if r.path < 0 && int(r.zone) < len(h.zones) && !self.Empty() {
		fill(&report.HistorySelf, &h.zones[r.zone].self)
	}
}

// laneTrace returns the hierarchical time of a row per frame on the lane of a view, or nil.
func (s *Session) laneTrace(r *row, v *View) *trace1 {
	h := s.historyOf(v)
	switch {
	case r.path > 0 && int(r.path) < len(h.paths):
		return &h.paths[r.path]
	case r.path < 0 && int(r.zone) < len(h.zones):
		return &h.zones[r.zone].hier
	}
	return nil
}
