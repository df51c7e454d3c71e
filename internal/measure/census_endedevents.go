//go:build !iprof_off

package measure

import (
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

// endedEvents holds the events of recently ended lanes, for the frames in which they ran. registry.mu guards it.
var endedEvents endedRing

// endedRing is a ring buffer for the events of all ended lanes. The zero value is empty.
type endedRing struct {
	ring    []Event // its length is a power of two
	pos     uint64  // number of events ever written
	spans   map[LaneID]span
	order   []LaneID // in the order of their ends
	scratch []Event
}

// span locates the events of one lane.
type span struct {
	since    platform.Ticks // all events from this time on are kept
	from, to uint64
}

// len returns the number of events.
func (s span) len() int { return int(s.to - s.from) }

// The lengths of the ring.
const (
	leastEnded = 1 << 12
	mostEnded  = 1 << 16 // 1.5 MB of events of 24 bytes
)

// save keeps the events that the function appends, oldest first. The function appends all events from since on.
func (e *endedRing) save(lane LaneID, since platform.Ticks, events func([]Event) []Event) {
	e.scratch = events(e.scratch[:0])
	all := e.scratch
	if e.grow(len(all)); len(e.ring) == 0 || len(all) == 0 {
		return
	}
	if more := len(all) - len(e.ring); more > 0 {
		all, since = all[more:], all[more].Time
	}
	s := span{since: since, from: e.pos}
	for i := range all {
		*e.at(e.pos) = all[i]
		e.pos++
	}
	s.to = e.pos
	if e.spans == nil {
		e.spans = make(map[LaneID]span)
	}
	e.spans[lane] = s
	e.order = append(e.order, lane)
	e.forget()
}

func (e *endedRing) at(pos uint64) *Event { return &e.ring[pos&uint64(len(e.ring)-1)] }

// grow makes the ring longer if it has no room for more events without overwriting others.
func (e *endedRing) grow(more int) {
	size := max(len(e.ring), leastEnded)
	for size < mostEnded && e.used()+more > size {
		size *= 2
	}
	bytes := e.bytes(size - len(e.ring))
	if size == len(e.ring) || !eventlog.Fits(bytes) {
		return
	}
	budget.Add(budget.Events, bytes)
	old := e.ring
	e.ring = make([]Event, size)
	for at := e.pos - min(e.pos, uint64(len(old))); at < e.pos; at++ {
		*e.at(at) = old[at&uint64(len(old)-1)]
	}
}

// bytes returns the size of events in memory.
func (e *endedRing) bytes(events int) int64 { return int64(events) * int64(unsafe.Sizeof(Event{})) }

// used returns the number of kept events.
func (e *endedRing) used() int {
	if len(e.order) == 0 {
		return 0
	}
	return int(e.pos - e.spans[e.order[0]].from)
}

// forget drops lanes whose events have been overwritten.
func (e *endedRing) forget() {
	gone := 0
	for gone < len(e.order) && e.spans[e.order[gone]].from+uint64(len(e.ring)) < e.pos {
		delete(e.spans, e.order[gone])
		gone++
	}
	e.order = append(e.order[:0], e.order[gone:]...)
}

// free drops all events.
func (e *endedRing) free() {
	budget.Add(budget.Events, -e.bytes(len(e.ring)))
	*e = endedRing{}
}

// len returns the length of the ring.
func (e *endedRing) len() int { return len(e.ring) }

// lanes returns the number of lanes with events.
func (e *endedRing) lanes() int { return len(e.order) }

// find locates a lane's events.
func (e *endedRing) find(lane LaneID) (s span, found bool) {
	s, found = e.spans[lane]
	return s, found
}

// appendTo appends the events of a span with times from begin to end, both included.
func (e *endedRing) appendTo(dst []Event, s span, begin, end platform.Ticks) []Event {
	for at := s.from; at < s.to; at++ {
		if v := e.at(at); v.Time >= begin && v.Time <= end {
			dst = append(dst, *v)
		}
	}
	return dst
}

// each calls do for the lanes with events around a stretch of time, in the order of their ends.
func (e *endedRing) each(begin, end platform.Ticks, do func(LaneID, span)) {
	for _, lane := range e.order {
		if s := e.spans[lane]; e.at(s.from).Time <= end && e.at(s.to-1).Time >= begin {
			do(lane, s)
		}
	}
}

// saveEvents keeps the events of a lane before it is dropped. registry.mu is held.
func (l *Lane) saveEvents() {
	if !l.log.Keeps() || l.isNobodys() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	endedEvents.save(l.id, l.log.Since(), func(dst []Event) []Event {
		return l.appendEvents(dst, 0, platform.MaxTicks)
	})
}
