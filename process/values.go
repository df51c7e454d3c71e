package process

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// load fills s.values and s.byZone for a view, and returns the frame of the view or nil.
func (s *builder) load(v *report.View) *history.Frame {
	s.digest()
	if v.Through() && s.past.Next > 0 {
		return s.loadLens(v)
	}
	p := s.shown(v)
	if p == nil && s.past.Next == 0 && s.unfinished != nil {
		p = s.unfinished()
	}
	if p == nil {
		s.empty()
		return nil
	}
	if p.Lost {
		s.empty()
		return p
	}
	lane := s.lanePlace(v.Lane)
	s.sum(p, lane) // also for averages: it sets which paths are open
	if s.smooth(v) {
		s.average(v, lane)
	}
	if len(v.Pin) > 0 {
		s.pin(v.Pin)
		defer func() { s.pinned = 0 }()
	}
	s.rise()
	if lane == history.EveryLane && len(v.Pin) == 0 && len(s.values) > 0 {
		s.values[0].Hier = s.span(v, p)
	}
	s.gatherZones(s.past.Next)
	return p
}

// empty sets all values to zero.
func (s *store) empty() {
	s.values = resize.To(s.values, len(s.tree.Paths))
	clear(s.values)
	s.gatherZones(s.past.Next)
}

// lanePlace returns the index of a lane in Lanes.List, or history.EveryLane for id 0.
func (s *store) lanePlace(id report.LaneID) int32 {
	return s.lanes.PlaceOf(id)
}

// span is the time of the updating lane in the viewed frame or average, in ms.
func (s *builder) span(v *report.View, p *history.Frame) float64 {
	if s.smooth(v) {
		return s.live.Whole[v.Average].Span
	}
	return p.SpanMS
}

// smooth reports whether a view shows averages. Only the newest finished frame has them.
func (s *store) smooth(v *report.View) bool {
	return v.Age == 0 && v.Kept == 0 && !v.Through() && v.Average != report.AverageInstant && s.past.Next > 0
}

// average replaces self time and count by their moving averages of a lane.
func (s *store) average(v *report.View, lane int32) {
	m := &s.live
	if lane != history.EveryLane {
		m = s.catchUp(v.Lane, lane)
		s.sum(s.past.Age(0), lane)
	}
	for i := range s.values {
		s.values[i].Self, s.values[i].Count = m.Path(&s.tree, i, v.Average)
	}
	m.Extra.Fill(s.values, &s.charged, v.Average)
}

// catchUp brings the averages of a single lane up to date from the log. They cost nothing while nobody views the lane.
func (s *store) catchUp(id report.LaneID, lane int32) *history.Smoother {
	m := &s.single
	if m.Lane != id || m.Next < s.past.First() {
		*m = history.Smoother{Lane: id, Next: s.past.First()}
	}
	for ; m.Next < s.past.Next; m.Next++ {
		p := s.past.At(m.Next)
		if p.Lost {
			continue
		}
		s.touched.Take(p, lane, &s.tree, len(s.zones))
		m.Add(p.LengthMS/1000, &s.tree, &s.touched, p.Seq)
	}
	return m
}

// pin clears the values of the paths that are not below the pinned path: those whose stacks do not have all zones in
// order.
func (s *store) pin(zones []report.ZoneID) {
	s.matched = resize.To(s.matched, len(s.tree.Paths))
	for i := range s.tree.Paths {
		p, matched := &s.tree.Paths[i], int32(0)
		if p.Parent >= 0 {
			matched = s.matched[p.Parent]
		}
		if int(matched) < len(zones) && zones[matched] == p.Zone {
			matched++
		}
		s.matched[i] = matched
		if int(matched) < len(zones) {
			s.values[i] = history.Value{}
		}
	}
	s.pinned = int32(len(zones))
}

// outside reports whether a path is not below the pinned path, if there is one.
func (s *store) outside(path int32) bool { return s.pinned > 0 && s.matched[path] < s.pinned }
