package exectrace

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// placer assigns samples to the innermost open zones of their goroutines.
type placer struct {
	owner  map[uint64]gather.LaneID // by goroutine
	events map[gather.LaneID]*opened
	zones  sampled.Functions
	load   func(lane gather.LaneID) []gather.Event // returns the events of a lane; nil: feed adds the events
}

func newPlacer(lanes []report.LaneGoroutine, zones sampled.Functions) *placer {
	p := &placer{owner: map[uint64]gather.LaneID{}, events: map[gather.LaneID]*opened{}, zones: zones}
	for _, l := range lanes {
		p.owner[l.Goroutine] = l.Lane
	}
	return p
}

// of returns the opened of a lane.
func (p *placer) of(lane gather.LaneID) *opened {
	o := p.events[lane]
	if o == nil {
		o = new(opened)
		if p.load != nil {
			o.events = p.load(lane)
		}
		p.events[lane] = o
	}
	return o
}

// feed adds the events of a frame of a capture.
func (p *placer) feed(from timeline.EventSource, f *gather.Frame) {
	if from == nil {
		return
	}
	for i := range f.Lanes {
		lane := f.Lanes[i].ID
		o := p.of(lane)
		o.events, o.next = from.AppendEvents(o.events[o.next:], lane, 0, platform.MaxTicks-1), 0
	}
}

// place returns the zone of a sample, 0 outside zones, and whether the zone comes from events. Times must not decrease
// from call to call.
func (p *placer) place(q *sample, at platform.Ticks) (zone report.ZoneID, known bool) {
	if zone, known = p.of(p.owner[q.goroutine]).at(at); !known {
		_, zone = p.zones.Find(q.stack)
	}
	return max(zone, 0), known
}

// opened follows the zones of a lane through its events.
type opened struct {
	events []gather.Event
	next   int
	begun  bool // at least one event was passed
	stack  []gather.ZoneID
}

// at returns the innermost zone at a time, 0 outside zones. known is false before the first event. Times must not
// decrease from call to call.
func (o *opened) at(t platform.Ticks) (zone gather.ZoneID, known bool) {
	for o.next < len(o.events) && o.events[o.next].Time <= t {
		e := &o.events[o.next]
		o.next, o.begun = o.next+1, true
		level := min(int(max(e.Level, 0)), 1<<10)
		for len(o.stack) < level {
			o.stack = append(o.stack, 0) // begun before the events
		}
		if o.stack = o.stack[:level]; !e.End {
			o.stack = append(o.stack, e.Zone)
		}
	}
	if !o.begun {
		return 0, false
	}
	if len(o.stack) == 0 {
		return 0, true
	}
	zone = o.stack[len(o.stack)-1]
	return zone, zone > 0
}
