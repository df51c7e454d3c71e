package rows

import (
	"cmp"
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// AppendShownLanes appends the lanes of the frames that the view shows, the busiest first.
func (s *Builder) AppendShownLanes(dst []report.LaneInfo) []report.LaneInfo {
	from := len(dst)
	s.rows.laneRows = resize.To(s.rows.laneRows, len(s.Lanes.List))
	clear(s.rows.laneRows)
	if s.View.Through() && s.Past.Next > 0 {
		s.Load(&s.View)
		for _, seq := range s.Lens.Frames {
			dst = s.appendLanes(dst, s.Past.At(seq), len(s.Lens.Frames))
		}
		if w := s.WholeFor(s.View.LensInForce()); w != nil {
			dst = appendWholeLanes(dst, from, w)
		}
	} else if p := s.Shown(&s.View); p != nil {
		dst = s.appendLanes(dst, p, 1)
	}
	slices.SortStableFunc(dst[from:], func(a, b report.LaneInfo) int { return cmp.Compare(b.Self, a.Self) })
	return dst
}

// appendLanes adds the lanes of a frame, divided by the number of frames. rows.laneRows has the index in dst of the
// lanes already there.
func (s *Builder) appendLanes(dst []report.LaneInfo, p *history.Frame, frames int) []report.LaneInfo {
	for i := range p.Lanes {
		l := &p.Lanes[i]
		row := &s.rows.laneRows[l.Place]
		if *row == 0 {
			known := &s.Lanes.List[l.Place]
			dst = append(dst, report.LaneInfo{ID: known.ID, Name: known.Name, Device: l.Device})
			*row = int32(len(dst))
		}
		to := &dst[*row-1]
		to.CPU += l.CPU / float64(frames)
		to.Self += p.BusyOf(l) / float64(frames)
	}
	return dst
}

// AppendTopSeries appends the most important zones, then those of keep that are not among them.
func (s *Builder) AppendTopSeries(dst []report.Series, frames, most int, keep []report.ZoneID,
	also report.ZoneID) []report.Series {
	s.SeenLane(&s.View)
	s.Own.Follow(&s.Past, &s.Tree, len(s.Zones))
	var top history.TopZones
	n := float64(max(s.Past.Length(), 1))
	first := s.Past.First()
	for i := range s.Past.Zones.Len() {
		t := s.OwnSelf(report.ZoneID(i), s.View.Lane)
		if s.Past.Zones.At(i).Birth < s.Past.Next && t.Sum(first) > 1e-9 && !s.Zones[i].Idle &&
			(i > 0 || !s.IdleRoot(s.View.Lane)) && !s.View.Hides(report.ZoneID(i)) {
			rank := t.Sum(first)/n + float64(t.Max(first))/10
			top.Put(min(most, history.MaxSeries), history.Ranked{Zone: report.ZoneID(i), Rank: rank})
		}
	}
	zones := top.Zones[:top.N]
	for i := range zones {
		zones[i].Rank = s.OwnSelf(zones[i].Zone, s.View.Lane).Sum(first)
	}
	slices.SortFunc(zones, history.Ranked.Compare)
	for _, z := range zones {
		dst = s.AppendSeriesOf(dst, z.Zone, s.OwnSelf(z.Zone, s.View.Lane), frames)
		if z.Zone == also {
			also = -1
		}
	}
	for _, zone := range keep {
		if !top.Has(zone) && s.InHistory(zone) &&
			!s.Zones[zone].Idle && (zone > 0 || !s.IdleRoot(s.View.Lane)) && !s.View.Hides(zone) {
			dst = s.AppendSeriesOf(dst, zone, s.OwnSelf(zone, s.View.Lane), frames)
		}
		if zone == also {
			also = -1
		}
	}
	if s.InHistory(also) {
		t := &s.Past.Zones.At(int(also)).Self
		if s.View.Lane != 0 {
			t = s.OwnSelf(also, s.View.Lane)
		}
		dst = s.AppendSeriesOf(dst, also, t, frames)
	}
	return dst
}
