package process

import (
	"cmp"
	"slices"

	"example.com/iprof/process/internal/history"
)

// AppendFrames appends summaries of the newest frames, at most frames of them, oldest first. Any goroutine may call it.
func (s *Session) AppendFrames(dst []FrameSummary, frames int) []FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.appendFrames(dst, frames)
}

func (s *store) appendFrames(dst []FrameSummary, frames int) []FrameSummary {
	for seq := s.past.Since(frames); seq < s.past.Next; seq++ {
		p := s.past.At(seq)
		p.HasReport = !p.Lost
		dst = append(dst, p.FrameSummary)
	}
	return dst
}

// AppendSeries appends the self time of each zone in the newest frames, at most frames of them. The zone with the
// largest mean comes first. It reuses the memory of Series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendSeries(dst []Series, frames int) []Series {
	s.lock()
	defer s.mu.Unlock()
	return s.appendAllSeries(dst, frames)
}

func (s *store) appendAllSeries(dst []Series, frames int) []Series {
	s.digest()
	from := len(dst)
	for i := range s.past.Zones {
		if t := &s.past.Zones[i]; t.Birth < s.past.Next && t.Self.Sum > 0 {
			dst = s.appendSeries(dst, ZoneID(i), frames)
		}
	}
	slices.SortFunc(dst[from:], func(a, b Series) int {
		x, y := s.past.Zones[a.Zone].Self.Sum, s.past.Zones[b.Zone].Self.Sum
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a.Zone, b.Zone))
	})
	return dst
}

func (s *store) appendSeries(dst []Series, zone ZoneID, frames int) []Series {
	return s.appendSeriesOf(dst, zone, &s.past.Zones[zone].Self, frames)
}

func (s *store) appendSeriesOf(dst []Series, zone ZoneID, t *history.Series, frames int) []Series {
	var values []float32
	if n := len(dst); n < cap(dst) {
		values = dst[:n+1][n].Values[:0]
	}
	z, info := &s.past.Zones[zone], &s.zones[zone]
	values = s.past.Append(values, t, z.Birth, frames)
	return append(dst, Series{Zone: zone, Name: info.Name, Idle: info.Idle, Values: values,
		Estimated: z.Estimated(s.past.Since(frames))})
}

func (s *store) appendZoneHistory(dst []float32, zone ZoneID, frames int) []float32 {
	s.digest()
	if zone < 0 || int(zone) >= len(s.past.Zones) {
		return dst
	}
	t := &s.past.Zones[zone]
	return s.past.Append(dst, &t.Hier, t.Birth, frames)
}

// AppendLanes appends the lanes of the viewed frame, or of the frames of the lens, the busiest first. Any goroutine may
// call it.
func (s *Session) AppendLanes(dst []LaneInfo) []LaneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.appendShownLanes(dst)
}

func (s *builder) appendShownLanes(dst []LaneInfo) []LaneInfo {
	from := len(dst)
	s.rows.laneRows = resized(s.rows.laneRows, len(s.lanes.List))
	clear(s.rows.laneRows)
	if s.view.Through() && s.past.Next > 0 {
		s.load(&s.view)
		for _, seq := range s.lens.Frames {
			dst = s.appendLanes(dst, s.past.At(seq), len(s.lens.Frames))
		}
	} else if p := s.shown(&s.view); p != nil {
		dst = s.appendLanes(dst, p, 1)
	}
	slices.SortStableFunc(dst[from:], func(a, b LaneInfo) int { return cmp.Compare(b.Self, a.Self) })
	return dst
}

// appendLanes adds the lanes of a frame, divided by the number of frames. rows.laneRows has the index in dst of the
// lanes already there.
func (s *builder) appendLanes(dst []LaneInfo, p *history.Frame, frames int) []LaneInfo {
	for i := range p.Lanes {
		l := &p.Lanes[i]
		row := &s.rows.laneRows[l.Place]
		if *row == 0 {
			known := &s.lanes.List[l.Place]
			dst = append(dst, LaneInfo{ID: known.ID, Name: known.Name, Device: l.Device})
			*row = int32(len(dst))
		}
		to := &dst[*row-1]
		to.CPU += l.CPU / float64(frames)
		to.Self += p.BusyOf(l) / float64(frames)
	}
	return dst
}
