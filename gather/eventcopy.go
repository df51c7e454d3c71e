//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/eventlog"
	"example.com/iprof/platform"
)

// EventCopy has the events of all lanes in a stretch of time. They stay there when the lanes overwrite theirs. The zero
// value is empty. All copies together take at most a quarter of Limits.Bytes. One goroutine may use it at a time.
type EventCopy struct {
	kept    eventlog.Copy[LaneID, place, Event]
	sources []*Lane // scratch
}

// place is the part of an event that comes from its node.
type place struct {
	zone  ZoneID
	id    NodeID
	level int32
}

func (s *seen) place() place { return place{s.zone, s.id, int32(s.level) - 1} }

// event makes an event of a record.
func (p *place) event(r eventlog.Event) Event {
	return Event{Time: r.Time, Zone: p.zone, Node: p.id, Level: p.level, End: r.What&1 != 0}
}

const copyChunk = 1024 // events copied without releasing a lane: some microseconds

// Take replaces the copy by the events with times from begin to end, both included, on every lane that keeps events,
// and on lanes that ended lately. It returns false and leaves the copy empty if Limits.Bytes has no room. It reuses
// memory. A lane waits for it at most for the copy of 1,024 events, and only to make a new node.
func (c *EventCopy) Take(begin, end platform.Ticks) bool {
	c.kept.Reset()
	registry.mu.Lock()
	c.sources = append(c.sources[:0], registry.lanes...)
	ended := 0
	endedEvents.Each(begin, end, func(_ LaneID, s eventlog.Span) { ended += s.Len() })
	registry.mu.Unlock()
	records, places := c.count(begin, end)
	if !c.kept.Reserve(records, places, ended) {
		c.Drop()
		return false
	}
	for _, l := range c.sources {
		c.take(l, begin, end)
	}
	clear(c.sources)
	registry.mu.Lock()
	defer registry.mu.Unlock()
	c.kept.TakeEnded(&endedEvents, begin, end) // the registry's lanes were in order
	return true
}

// count returns the number of records that the lanes have in a stretch of time, and of the lanes' nodes.
func (c *EventCopy) count(begin, end platform.Ticks) (records, places int) {
	for _, l := range c.sources {
		l.mu.Lock()
		if l.log.Keeps() {
			first, last := l.log.Stretch(begin, end)
			records, places = records+int(last-first), places+len(l.seen)
		}
		l.mu.Unlock()
	}
	return records, places
}

// take copies a lane's events, in chunks.
func (c *EventCopy) take(l *Lane, begin, end platform.Ticks) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.log
	if !g.Keeps() {
		return
	}
	at, last := g.Stretch(begin, end)
	c.kept.Begin(l.id, g, len(l.seen), func(i int) place { return l.seen[i].place() })
	for more := true; more && at < last && l.log == g; {
		from := at
		at = c.kept.Take(g, from, min(from+copyChunk, last))
		more = at > from // there is room
		l.mu.Unlock()    // the lane may need it for a new node
		l.mu.Lock()
	}
}

// Drop empties the copy and gives its memory back.
func (c *EventCopy) Drop() {
	c.kept.Drop()
	*c = EventCopy{}
}

// AppendEvents is as the function AppendEvents, for the copied events.
func (c *EventCopy) AppendEvents(dst []Event, lane LaneID, begin, end platform.Ticks) []Event {
	return c.kept.Append(dst, lane, begin, end, (*place).event)
}

// EventsSince is as the function EventsSince, for the copied events.
func (c *EventCopy) EventsSince(lane LaneID) (since platform.Ticks, kept bool) {
	return c.kept.Since(lane)
}

// Lanes returns the number of lanes with events in the copy.
func (c *EventCopy) Lanes() int { return c.kept.Len() }
