package store

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// Empty sets all values to zero.
func (s *Store) Empty() {
	s.Values = resize.To(s.Values, len(s.Tree.Paths))
	clear(s.Values)
	s.gatherZones(s.Past.Next)
}

// LanePlace returns the index of a lane in Lanes.List, or history.EveryLane for id 0.
func (s *Store) LanePlace(id report.LaneID) int32 {
	return s.Lanes.PlaceOf(id)
}

// Smooth reports whether a view shows averages. Only the newest finished frame has averages.
func (s *Store) Smooth(v *report.View) bool {
	return v.Age == 0 && v.Kept == 0 && s.Behind() == 0 &&
		!v.Through() && v.Average != report.AverageInstant && s.Past.Next > 0
}

// Average replaces self time and count by their moving averages of a lane.
func (k *Looker) Average(v *report.View, lane int32) {
	s, m := k.store, &k.store.Live
	if lane != history.EveryLane {
		m = k.catchUp(v.Lane, lane)
		s.Sum(s.Past.Age(0), lane)
	}
	for i := range s.Values {
		s.Values[i].Self, s.Values[i].Count = m.Path(&s.Tree, i, v.Average)
	}
	m.Extra.Fill(s.Values, &s.Charged, v.Average)
}

// catchUp updates the averages of a single lane from the log. They cost nothing while the lane is not viewed.
func (k *Looker) catchUp(id report.LaneID, lane int32) *history.Smoother {
	s, m := k.store, &k.single
	if m.Lane != id || m.Next < s.Past.First() {
		*m = history.Smoother{Lane: id, Next: s.Past.First()}
	}
	for ; m.Next < s.Past.Next; m.Next++ {
		p := s.Past.At(m.Next)
		if p.Lost {
			continue
		}
		s.Touched.Take(p, lane, &s.Tree, len(s.Zones))
		m.Add(p.LengthMS/1000, &s.Tree, &s.Touched, p.Seq)
	}
	return m
}

// pin clears the values of the paths that are not below the pinned path, because their stacks do not have all its zones
// in order.
func (s *Store) pin(zones []report.ZoneID) {
	s.Matched = resize.To(s.Matched, len(s.Tree.Paths))
	for i := range s.Tree.Paths {
		p, matched := &s.Tree.Paths[i], int32(0)
		if p.Parent >= 0 {
			matched = s.Matched[p.Parent]
		}
		if int(matched) < len(zones) && zones[matched] == p.Zone {
			matched++
		}
		s.Matched[i] = matched
		if int(matched) < len(zones) {
			s.Values[i] = history.Value{}
		}
	}
	s.pinned = int32(len(zones))
}

// outside reports whether a path is not below the pinned path, if there is one.
func (s *Store) outside(path int32) bool { return s.pinned > 0 && s.Matched[path] < s.pinned }
