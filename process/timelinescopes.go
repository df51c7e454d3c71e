package process

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// timeline is what a session needs to answer for the order of time. Its memory is used again.
type timeline struct {
	source EventSource
	kept   []keptLane // while paused
	lanes  []TimelineLane
	events []gather.Event
	open   []int32 // by level: index of the open scope in the answer, -1 for none
	stack  []int32 // zones open at the end, outermost first
}

// deepest bounds the levels of events that lie.
const deepest = 1 << 16

// appendTimelineLanes appends the lanes that have records in the last frame of the window.
func (s *Session) appendTimelineLanes(dst []TimelineLane, w window) []TimelineLane {
	for _, at := range w.last.lanes {
		l := &s.lanes.list[at.place]
		dst = append(dst, TimelineLane{ID: l.id, Name: l.name})
		s.judge(&dst[len(dst)-1], w)
	}
	return dst
}

// judge says what there is of a lane's events.
func (s *Session) judge(l *TimelineLane, w window) {
	since, kept := s.eventsSince(l.ID)
	switch {
	case !kept:
		l.State = TimelineOff
	case since >= w.last.to:
		l.State, l.From = TimelineGone, w.ms(w.last.to)
	case since > w.first.from:
		l.State, l.From = TimelineCut, w.ms(since)
	default:
		l.State, l.From = TimelineWhole, w.ms(w.first.from)
	}
}

// appendScopes pairs a lane's events.
func (s *Session) appendScopes(dst []TimelineScope, lane uint64, w window) []TimelineScope {
	t := &s.timeline
	begin, end := w.first.from, w.last.to
	t.events = s.appendEvents(t.events[:0], lane, begin, end)
	events := t.events
	if since, _ := s.eventsSince(lane); since > begin { // asked for now: the lane goes on overwriting
		begin = since
		for len(events) > 0 && events[0].Time < begin {
			events = events[1:]
		}
	}
	p := pairing{timeline: t, window: w, lane: lane, begin: begin, end: end, dst: dst}
	p.around(events, s.openZones(w.last, lane))
	t.open = t.open[:0]
	for i := range events {
		if e := &events[i]; e.Level >= 0 && e.Level < deepest {
			p.event(e)
		}
	}
	p.closeFrom(0, end, true)
	return p.dst
}

// openZones lists the zones that were open on a lane when a frame ended, by level.
func (s *Session) openZones(p *pastFrame, lane uint64) []int32 {
	zones := s.timeline.stack[:0]
	place := s.lanePlace(lane)
	for _, l := range p.lanes {
		if l.place != place {
			continue
		}
		for _, r := range p.records[l.from:l.to] {
			path := &s.tree.paths[r.path&pathMask]
			if r.path&openBit == 0 || path.level == 0 {
				continue
			}
			for int(path.level) > len(zones) {
				zones = append(zones, 0)
			}
			zones[path.level-1] = path.zone
		}
	}
	s.timeline.stack = zones
	return zones
}

// pairing makes scopes of events.
type pairing struct {
	*timeline
	window
	lane       uint64
	begin, end platform.Ticks
	dst        []TimelineScope
}

// around appends the scopes that were open at the beginning: those that no event tells of, which are open still, and those
// that an End without its Begin tells of, outermost first.
func (p *pairing) around(events []gather.Event, open []int32) {
	outermost := outermost(events)
	for level, zone := range open[:min(int(max(outermost, 0)), len(open))] {
		p.add(zone, int32(level), p.begin, p.end, true, true)
	}
	first := len(p.dst)
	lowest := int32(deepest)
	for i := 0; i < len(events) && lowest > outermost; i++ {
		e := &events[i]
		if e.End && e.Level < lowest && e.Time > p.begin {
			p.add(e.Zone, e.Level, p.begin, e.Time, true, false)
		}
		lowest = min(lowest, e.Level)
	}
	slices.Reverse(p.dst[first:])
}

// outermost is the lowest level of events.
func outermost(events []gather.Event) int32 {
	lowest := int32(math.MaxInt32)
	for i := 0; i < len(events) && lowest > 0; i++ {
		lowest = min(lowest, events[i].Level)
	}
	return lowest
}

// event begins or ends a scope. What is left open inside ends with it.
func (p *pairing) event(e *gather.Event) {
	if level := int(e.Level); level < len(p.open) {
		p.closeFrom(level, e.Time, false)
	}
	if e.End || e.Time >= p.end { // one that begins at the end is the next frame's
		return
	}
	for len(p.open) < int(e.Level) {
		p.open = append(p.open, -1)
	}
	p.open = append(p.open, int32(len(p.dst)))
	p.add(e.Zone, e.Level, e.Time, p.end, false, false)
}

// closeFrom ends the open scopes from a level on.
func (p *pairing) closeFrom(level int, t platform.Ticks, after bool) {
	for _, at := range p.open[level:] {
		if at >= 0 {
			s := &p.dst[at]
			s.End, s.After = p.ms(t), after
		}
	}
	p.open = p.open[:level]
}

// add appends a scope, part by part: one made elsewhere and copied takes twice as long.
func (p *pairing) add(zone, level int32, begin, end platform.Ticks, before, after bool) {
	n := len(p.dst)
	if n == cap(p.dst) {
		p.dst = slices.Grow(p.dst, 1)
	}
	p.dst = p.dst[:n+1]
	s := &p.dst[n]
	s.Lane, s.Zone, s.Level = p.lane, zone, level
	s.Begin, s.End, s.Before, s.After = p.ms(begin), p.ms(end), before, after
}
