package process

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
)

// reader reads the scopes of frames from events. It keeps copies of those that the lanes would overwrite.
type reader struct {
	timelineStores
	source EventSource
	kept   gather.EventCopy // while paused
	isKept bool             // there is a copy in kept
	copies copies           // of slow frames
	epoch  int              // counts the times when all that was read became void
	listed []TimelineLane   // scratch
	scopes []TimelineScope  // scratch, of a Dump
	events []gather.Event
	open   []int32  // by level: index of the open scope in the result, -1 for none
	stack  []ZoneID // zones open at the end, outermost first
}

// void makes all that was read void: timelines read it again.
func (r *reader) void() { r.epoch++ }

// timelineStores are what a reader reads besides events.
type timelineStores struct {
	past    *history.Ring
	slowest *history.Slowest
	tree    *history.Tree
	lanes   *history.Lanes
	fed     bool // the frames are another program's: package gather does not have their events
	zones   []gather.ZoneInfo
	budget  float64 // ms a frame may take
}

// deepest bounds the levels of events: those of a replay may be wrong.
const deepest = 1 << 16

// lanesOf appends the lanes with records in the last frame of the window.
func (r *reader) lanesOf(dst []TimelineLane, w window) []TimelineLane {
	from := r.eventsOf(&w)
	for _, at := range w.last.Lanes {
		l := &r.lanes.List[at.Place]
		dst = append(dst, TimelineLane{ID: l.ID, Name: l.Name, Device: at.Device, Drift: l.Drift,
			Updater: at.Updater})
		settleState(&dst[len(dst)-1], w, from)
	}
	if f := r.copies.at(w.last.Seq); f != nil && len(w.last.Lanes) == 0 { // the history has lost its records
		for i := range f.owners {
			o := &f.owners[i]
			dst = append(dst, TimelineLane{ID: o.id, Name: o.name, Device: o.device, Updater: o.updater})
			settleState(&dst[len(dst)-1], w, from)
		}
	}
	return dst
}

// settleState sets the state of a lane's events.
func settleState(l *TimelineLane, w window, from EventSource) {
	since, kept := sinceIn(from, l.ID, &w)
	switch {
	case !kept:
		l.State = TimelineOff
	case since >= w.last.To:
		l.State, l.From = TimelineGone, w.ms(w.last.To)
	case since > w.first.From:
		l.State, l.From = TimelineCut, w.ms(since)
	default:
		l.State, l.From = TimelineWhole, w.ms(w.first.From)
	}
}

// scopesOf makes scopes of a lane's events.
func (r *reader) scopesOf(dst []TimelineScope, lane LaneID, w window) []TimelineScope {
	begin, end := w.first.From, w.last.To
	from := r.eventsOf(&w)
	r.events = from.AppendEvents(r.events[:0], lane, begin, end)
	events := r.events
	if since, _ := sinceIn(from, lane, &w); since > begin { // read now, because the lane goes on overwriting
		begin = since
		for len(events) > 0 && events[0].Time < begin {
			events = events[1:]
		}
	}
	p := pairing{reader: r, window: w, lane: lane, begin: begin, end: end, dst: dst}
	p.around(events, r.openZones(w.last, lane))
	r.open = r.open[:0]
	for i := range events {
		if e := &events[i]; e.Level >= 0 && e.Level < deepest {
			p.event(e)
		}
	}
	p.closeFrom(0, end, true)
	return p.dst
}

// openZones lists the zones that were open on a lane at the end of a frame, by level.
func (r *reader) openZones(p *history.Frame, lane LaneID) []ZoneID {
	if f := r.copies.at(p.Seq); f != nil && len(p.Lanes) == 0 {
		return f.zonesOf(lane)
	}
	zones := r.stack[:0]
	place := r.lanes.PlaceOf(lane)
	for _, l := range p.Lanes {
		if l.Place != place {
			continue
		}
		for _, rec := range p.Records[l.From:l.To] {
			path := &r.tree.Paths[rec.Path&history.PathMask]
			if rec.Path&history.OpenBit == 0 || path.Level == 0 {
				continue
			}
			for int(path.Level) > len(zones) {
				zones = append(zones, 0)
			}
			zones[path.Level-1] = path.Zone
		}
	}
	r.stack = zones
	return zones
}

// pairing makes scopes of begin and end events.
type pairing struct {
	*reader
	window
	lane       LaneID
	begin, end platform.Ticks
	dst        []TimelineScope
}

// around appends the scopes that were open at the beginning, outermost first: those without events, which are still
// open, and those with an end event only.
func (p *pairing) around(events []gather.Event, open []ZoneID) {
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

// event begins or ends a scope. An end closes the scopes inside as well.
func (p *pairing) event(e *gather.Event) {
	if level := int(e.Level); level < len(p.open) {
		p.closeFrom(level, e.Time, false)
	}
	if e.End || e.Time >= p.end { // a scope that begins at the end belongs to the next frame
		return
	}
	for len(p.open) < int(e.Level) {
		p.open = append(p.open, -1)
	}
	p.open = append(p.open, int32(len(p.dst)))
	p.add(e.Zone, e.Level, e.Time, p.end, false, false)
}

// closeFrom ends the open scopes of a level and those inside.
func (p *pairing) closeFrom(level int, t platform.Ticks, after bool) {
	for _, at := range p.open[level:] {
		if at >= 0 {
			s := &p.dst[at]
			s.End, s.After = p.ms(t), after
		}
	}
	p.open = p.open[:level]
}

// add appends a scope. It sets the fields one by one: a literal would be built elsewhere and copied, which takes twice
// as long.
func (p *pairing) add(zone ZoneID, level int32, begin, end platform.Ticks, before, after bool) {
	n := len(p.dst)
	if n == cap(p.dst) {
		p.dst = slices.Grow(p.dst, 1)
	}
	p.dst = p.dst[:n+1]
	s := &p.dst[n]
	s.Lane, s.Zone, s.Level = p.lane, zone, level
	s.Begin, s.End, s.Before, s.After = p.ms(begin), p.ms(end), before, after
}
