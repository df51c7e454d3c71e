package process

import (
	"cmp"
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// AppendFrames appends summaries of the newest frames, at most frames of them, oldest first. Any goroutine may call it.
func (s *Session) AppendFrames(dst []report.FrameSummary, frames int) []report.FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.appendFrames(dst, frames)
}

// appendFrames appends summaries of the newest frames, oldest first.
func (s *store) appendFrames(dst []report.FrameSummary, frames int) []report.FrameSummary {
	for seq := s.past.Since(frames); seq < s.past.Next; seq++ {
		p := s.past.At(seq)
		p.HasReport = !p.Lost
		dst = append(dst, p.FrameSummary)
	}
	return dst
}

// AppendSeries appends the self time of each zone in the newest frames, at most frames of them. The zone with the
// largest mean comes first. It reuses the memory of Series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendSeries(dst []report.Series, frames int) []report.Series {
	s.lock()
	defer s.mu.Unlock()
	return s.appendAllSeries(dst, frames)
}

// appendAllSeries appends the self time of each zone in the newest frames, the largest mean first.
func (s *store) appendAllSeries(dst []report.Series, frames int) []report.Series {
	s.digest()
	from := len(dst)
	first := s.past.First()
	for i := range s.past.Zones.Len() {
		if t := s.past.Zones.At(i); t.Birth < s.past.Next && t.Self.Sum(first) > 0 {
			dst = s.appendSeries(dst, report.ZoneID(i), frames)
		}
	}
	slices.SortFunc(dst[from:], func(a, b report.Series) int {
		x, y := s.past.Zones.At(int(a.Zone)).Self.Sum(first), s.past.Zones.At(int(b.Zone)).Self.Sum(first)
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a.Zone, b.Zone))
	})
	return dst
}

func (s *store) appendSeries(dst []report.Series, zone report.ZoneID, frames int) []report.Series {
	return s.appendSeriesOf(dst, zone, &s.past.Zones.At(int(zone)).Self, frames)
}

// appendSeriesOf appends the values of a series in the newest frames as that of a zone.
func (s *store) appendSeriesOf(dst []report.Series, zone report.ZoneID, t *history.Series, frames int) []report.Series {
	var values []float32
	if n := len(dst); n < cap(dst) {
		values = dst[:n+1][n].Values[:0]
	}
	z, info := s.past.Zones.At(int(zone)), &s.zones[zone]
	values = s.past.Append(values, t, z.Birth, frames)
	return append(dst, report.Series{Zone: zone, Name: info.Name, Idle: info.Idle, Values: values,
		Estimated: z.Estimated(s.past.Since(frames))})
}

// appendZoneHistory appends the hierarchical time of a zone in the newest frames.
func (s *store) appendZoneHistory(dst []float32, zone report.ZoneID, frames int) []float32 {
	s.digest()
	if zone < 0 || int(zone) >= s.past.Zones.Len() {
		return dst
	}
	t := s.past.Zones.At(int(zone))
	return s.past.Append(dst, &t.Hier, t.Birth, frames)
}

// AppendLanes appends the lanes of the viewed frame, or of the frames of the lens, the busiest first. Any goroutine may
// call it.
func (s *Session) AppendLanes(dst []report.LaneInfo) []report.LaneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.appendShownLanes(dst)
}

// appendShownLanes appends the lanes of the frames that the view shows, the busiest first.
func (s *builder) appendShownLanes(dst []report.LaneInfo) []report.LaneInfo {
	from := len(dst)
	s.rows.laneRows = resize.To(s.rows.laneRows, len(s.lanes.List))
	clear(s.rows.laneRows)
	if s.view.Through() && s.past.Next > 0 {
		s.load(&s.view)
		for _, seq := range s.lens.Frames {
			dst = s.appendLanes(dst, s.past.At(seq), len(s.lens.Frames))
		}
	} else if p := s.shown(&s.view); p != nil {
		dst = s.appendLanes(dst, p, 1)
	}
	slices.SortStableFunc(dst[from:], func(a, b report.LaneInfo) int { return cmp.Compare(b.Self, a.Self) })
	return dst
}

// appendLanes adds the lanes of a frame, divided by the number of frames. rows.laneRows has the index in dst of the
// lanes already there.
func (s *builder) appendLanes(dst []report.LaneInfo, p *history.Frame, frames int) []report.LaneInfo {
	for i := range p.Lanes {
		l := &p.Lanes[i]
		row := &s.rows.laneRows[l.Place]
		if *row == 0 {
			known := &s.lanes.List[l.Place]
			dst = append(dst, report.LaneInfo{ID: known.ID, Name: known.Name, Device: l.Device})
			*row = int32(len(dst))
		}
		to := &dst[*row-1]
		to.CPU += l.CPU / float64(frames)
		to.Self += p.BusyOf(l) / float64(frames)
	}
	return dst
}

// appendTopSeries appends the most important zones, then those of keep that are not among them.
func (s *builder) appendTopSeries(dst []report.Series, frames, most int, keep []report.ZoneID,
	also report.ZoneID) []report.Series {
	s.seenLane(&s.view)
	s.own.Follow(&s.past, &s.tree, len(s.zones))
	var top history.TopZones
	n := float64(max(s.past.Length(), 1))
	first := s.past.First()
	for i := range s.past.Zones.Len() {
		t := s.ownSelf(report.ZoneID(i), s.view.Lane)
		if s.past.Zones.At(i).Birth < s.past.Next && t.Sum(first) > 1e-9 && !s.zones[i].Idle &&
			(i > 0 || !s.idleRoot(s.view.Lane)) && !s.view.Hides(report.ZoneID(i)) {
			rank := t.Sum(first)/n + float64(t.Max(first))/10
			top.Put(min(most, history.MostSeries), history.Ranked{Zone: report.ZoneID(i), Rank: rank})
		}
	}
	zones := top.Zones[:top.N]
	for i := range zones {
		zones[i].Rank = s.ownSelf(zones[i].Zone, s.view.Lane).Sum(first)
	}
	slices.SortFunc(zones, history.Ranked.Compare)
	for _, z := range zones {
		dst = s.appendSeriesOf(dst, z.Zone, s.ownSelf(z.Zone, s.view.Lane), frames)
		if z.Zone == also {
			also = -1
		}
	}
	for _, zone := range keep {
		if !top.Has(zone) && s.inHistory(zone) &&
			!s.zones[zone].Idle && (zone > 0 || !s.idleRoot(s.view.Lane)) && !s.view.Hides(zone) {
			dst = s.appendSeriesOf(dst, zone, s.ownSelf(zone, s.view.Lane), frames)
		}
		if zone == also {
			also = -1
		}
	}
	if s.inHistory(also) {
		t := &s.past.Zones.At(int(also)).Self
		if s.view.Lane != 0 {
			t = s.ownSelf(also, s.view.Lane)
		}
		dst = s.appendSeriesOf(dst, also, t, frames)
	}
	return dst
}

// inHistory reports whether a zone was met in the history.
func (s *store) inHistory(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < s.past.Zones.Len() && s.past.Zones.At(int(zone)).Birth < s.past.Next
}

// ownSelf is the series of a zone on the lane of the view, else on the lane that ends the frames, or over all lanes if
// that lane is not known.
func (s *store) ownSelf(zone report.ZoneID, lane report.LaneID) *history.Series {
	if l := &s.lane; lane != 0 && l.Of == lane && int(zone) < l.Past.Zones.Len() {
		return &l.Past.Zones.At(int(zone)).Self
	}
	if s.own.Seen && int(zone) < s.own.Zones.Len() {
		return s.own.Zones.At(int(zone))
	}
	return &s.past.Zones.At(int(zone)).Self
}
