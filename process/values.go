package process

import (
	"math"

	"example.com/iprof/gather"
)

// load fills s.values and s.byZone for a view, and returns the frame of the view or nil.
func (s *Session) load(v *View) *pastFrame {
	s.digest()
	if v.Through() && s.past.next > 0 {
		return s.loadLens(v)
	}
	p := s.shown(v)
	if p == nil && s.past.next == 0 {
		p = s.unfinished()
	}
	if p == nil {
		s.empty()
		return nil
	}
	if p.lost {
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
	if lane == everyLane && len(v.Pin) == 0 && len(s.values) > 0 {
		s.values[0].hier = s.span(v, p)
	}
	s.gatherZones(s.past.next)
	return p
}

// empty sets all values to zero.
func (s *Session) empty() {
	s.values = resized(s.values, len(s.tree.paths))
	clear(s.values)
	s.gatherZones(s.past.next)
}

// noLane is the index of a lane that is not known.
const noLane = math.MaxInt32

// lanePlace returns the index of a lane in lanes.list, or everyLane for id 0.
func (s *Session) lanePlace(id LaneID) int32 {
	return s.lanes.placeOf(id)
}

// span is the time of the updating lane in the viewed frame or average, in ms.
func (s *Session) span(v *View, p *pastFrame) float64 {
	if s.smooth(v) {
		return s.live.whole[v.Average].span
	}
	return p.span
}

// smooth reports whether a view shows averages. Only the newest finished frame has them.
func (s *Session) smooth(v *View) bool {
	return v.Age == 0 && v.Kept == 0 && !v.Through() && v.Average != AverageInstant && s.past.next > 0
}

// unfinished returns the running program's first frame as it is so far, for programs that never call Update. It is nil
// in other sessions.
func (s *Session) unfinished() *pastFrame {
	if !s.running() {
		return nil
	}
	gather.Peek(&s.peek)
	if !valid(&s.peek) {
		return nil
	}
	s.learn(&s.peek)
	p := &s.first
	*p = p.empty()
	s.pruneLanes()
	p.begin(&s.peek)
	s.settle(p, s.log(p, &s.peek, false))
	s.past.clock = 0
	return p
}

// average replaces self time and count by their moving averages of a lane.
func (s *Session) average(v *View, lane int32) {
	m := &s.live
	if lane != everyLane {
		m = s.catchUp(v.Lane, lane)
		s.sum(s.past.age(0), lane)
	}
	for i := range s.values {
		if i < len(m.paths) {
			s.values[i].self = m.paths[i].self[v.Average]
			s.values[i].count = m.paths[i].count[v.Average]
		}
	}
	m.extra.fill(s.values, &s.charged, v.Average)
}

// catchUp brings the averages of a single lane up to date from the log. They cost nothing while nobody views the lane.
func (s *Session) catchUp(id LaneID, lane int32) *smoother {
	m := &s.single
	if m.lane != id || m.next < s.past.first() {
		*m = smoother{lane: id, next: s.past.first()}
	}
	for ; m.next < s.past.next; m.next++ {
		p := s.past.at(m.next)
		if p.lost {
			continue
		}
		s.sum(p, lane)
		s.rise()
		s.gatherZones(p.seq)
		m.add(p.length/1000, &s.tree, s.values, s.byZone)
		m.charge(p.length/1000, &s.tree, s.values, s.charged)
	}
	return m
}

// pin clears the values of the paths that are not below the pinned path: those whose stacks do not have all zones in
// order.
func (s *Session) pin(zones []ZoneID) {
	s.rows.matched = resized(s.rows.matched, len(s.tree.paths))
	for i := range s.tree.paths {
		p, matched := &s.tree.paths[i], int32(0)
		if p.parent >= 0 {
			matched = s.rows.matched[p.parent]
		}
		if int(matched) < len(zones) && zones[matched] == p.zone {
			matched++
		}
		s.rows.matched[i] = matched
		if int(matched) < len(zones) {
			s.values[i] = value{}
		}
	}
	s.pinned = int32(len(zones))
}

// outside reports whether a path is not below the pinned path, if there is one.
func (s *Session) outside(path int32) bool { return s.pinned > 0 && s.rows.matched[path] < s.pinned }
