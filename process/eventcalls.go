package process

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/gather/histogram"
	"example.com/iprof/platform"
)

// The newest frames whose events show the calls of a session that WriteFrame feeds.
const (
	eventCallFrames = 300
	mostCallEvents  = 1 << 17
)

// eventCalls makes calls of events that a source has. The running program's come from package gather.
type eventCalls struct {
	events []gather.Event
	open   map[LaneID][]gather.Event // begun and not ended yet
	place  map[callKey]int           // in the list of calls
}

// callEvents are the events of lanes.
type callEvents interface {
	AppendEvents(dst []gather.Event, lane LaneID, begin, end platform.Ticks) []gather.Event
}

// append appends the calls that begin and end in the newest frames, of stacks that are not in the list already.
func (e *eventCalls) append(dst []gather.Calls, from callEvents, h *history, l *lanes) []gather.Calls {
	if from == nil || h.next == 0 {
		return dst
	}
	e.open, e.place = make(map[LaneID][]gather.Event), make(map[callKey]int)
	for i := range dst {
		e.place[keyOf(&dst[i])] = -1
	}
	for seq := e.first(from, h, l); seq < h.next; seq++ {
		p := h.at(seq)
		for i := range p.lanes {
			dst = e.pair(dst, from, l.list[p.lanes[i].place].id, p)
		}
	}
	return dst
}

// first returns the oldest frame to be read.
func (e *eventCalls) first(from callEvents, h *history, l *lanes) uint64 {
	first, count := h.next, 0
	for first > h.first() && h.next-first < eventCallFrames {
		p := h.at(first - 1)
		count += len(p.lanes) * len(p.lanes) / 4 // sources search
		for i := range p.lanes {
			e.events = from.AppendEvents(e.events[:0], l.list[p.lanes[i].place].id, p.from, p.to-1)
			count += len(e.events)
		}
		if count > mostCallEvents {
			break
		}
		first--
	}
	return min(first, h.next-1)
}

// pair adds the calls of a lane that end in a frame.
func (e *eventCalls) pair(dst []gather.Calls, from callEvents, lane LaneID, p *pastFrame) []gather.Calls {
	open := e.open[lane]
	e.events = from.AppendEvents(e.events[:0], lane, p.from, p.to-1)
	for i := range e.events {
		v := &e.events[i]
		if !v.End {
			open = append(open, *v)
			continue
		}
		if last := len(open) - 1; last >= 0 {
			begun := open[last]
			if open = open[:last]; begun.Node == v.Node && begun.Zone == v.Zone && begun.Level == v.Level {
				dst = e.add(dst, callKey{lane, v.Node, v.Zone}, v.Time-begun.Time)
			}
		}
	}
	e.open[lane] = open
	return dst
}

// add adds a call.
func (e *eventCalls) add(dst []gather.Calls, key callKey, took platform.Ticks) []gather.Calls {
	at, known := e.place[key]
	if at < 0 {
		return dst
	}
	if !known {
		at = len(dst)
		e.place[key] = at
		dst = slices.Grow(dst, 1)[:at+1]
		dst[at] = gather.Calls{Lane: key.lane, Node: key.node, Zone: key.zone, FromEvents: true,
			Histogram: histogram.Histogram{Buckets: dst[at].Buckets[:0]}}
	}
	dst[at].Add(took)
	return dst
}
