//go:build !iprof_off

package gather

import (
	"slices"
	"sort"
	"unsafe"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/gather/internal/eventlog"
	"example.com/iprof/platform"
)

// EventCopy has the events of all lanes in a stretch of time. They stay there when the lanes overwrite theirs. The zero
// value is empty. All copies together take at most a quarter of Limits.Bytes. One goroutine may use it at a time.
type EventCopy struct {
	records []eventlog.Event // of lanes that go on
	places  []place          // of their nodes
	events  []Event          // of lanes that have ended
	lanes   []copiedLane     // ascending by id
	sources []*Lane          // scratch
	bytes   int64
}

// copiedLane locates the events of a lane.
type copiedLane struct {
	id       LaneID
	since    platform.Ticks // all events from this time on are there
	ended    bool           // they are events, else records
	from, to int
	places   int // index of the place of the lane's first node
	nodes    int
}

// place is what an event says about its node.
type place struct {
	zone  ZoneID
	id    NodeID
	level int32
}

const (
	copiesShare = 4    // all copies take at most this part of Limits.Bytes
	copyChunk   = 1024 // events copied without releasing a lane: some microseconds
	eventBytes  = int64(unsafe.Sizeof(Event{}))
	recordBytes = int64(unsafe.Sizeof(eventlog.Event{}))
	placeBytes  = int64(unsafe.Sizeof(place{}))
)

// Take replaces the copy by the events with times from begin to end, both included, on every lane that keeps events,
// and on lanes that ended lately. It returns false and leaves the copy empty if Limits.Bytes has no room. It reuses
// memory. A lane waits for it at most for the copy of 1,024 events, and only to make a new node.
func (c *EventCopy) Take(begin, end platform.Ticks) bool {
	c.records, c.places, c.events, c.lanes = c.records[:0], c.places[:0], c.events[:0], c.lanes[:0]
	registry.mu.Lock()
	c.sources = append(c.sources[:0], registry.lanes...)
	ended := 0
	endedEvents.Each(begin, end, func(_ LaneID, s eventlog.Span) { ended += s.Len() })
	registry.mu.Unlock()
	records, places := c.count(begin, end)
	if !c.reserve(records, places, ended) {
		c.Drop()
		return false
	}
	for _, l := range c.sources {
		c.take(l, begin, end)
	}
	clear(c.sources)
	registry.mu.Lock()
	c.takeEnded(begin, end)
	registry.mu.Unlock()
	slices.SortFunc(c.lanes, func(a, b copiedLane) int { return int(int64(a.id - b.id)) })
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

// reserve gets memory, and reports whether there is room for it. Memory that is far too large is given back.
func (c *EventCopy) reserve(records, places, events int) bool {
	need := int64(records)*recordBytes + int64(places)*placeBytes + int64(events)*eventBytes
	if records <= cap(c.records) && places <= cap(c.places) && events <= cap(c.events) && need >= c.bytes/4 {
		return true
	}
	c.account(0)
	c.records, c.places, c.events = nil, nil, nil
	if budget.Held(budget.Copies)+need > budget.Limit()/copiesShare || !budget.Fits(need) {
		return false
	}
	c.records, c.places = make([]eventlog.Event, 0, records), make([]place, 0, places)
	c.events = make([]Event, 0, events)
	c.account(need)
	return true
}

// account sets the number of bytes that the copy counts as held.
func (c *EventCopy) account(bytes int64) {
	budget.Add(budget.Copies, bytes-c.bytes)
	c.bytes = bytes
}

// take copies a lane's events, in chunks. Events that are overwritten meanwhile are missing at the beginning.
func (c *EventCopy) take(l *Lane, begin, end platform.Ticks) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.log
	if !g.Keeps() {
		return
	}
	at, last := g.Stretch(begin, end)
	lane := copiedLane{id: l.id, since: g.Since(), from: len(c.records), places: len(c.places)}
	for at < last && l.log == g && len(c.records) < cap(c.records) {
		to := min(at+copyChunk, last, at+uint64(cap(c.records)-len(c.records)))
		start := at
		for ; at < to; at++ {
			c.records = append(c.records, g.At(at))
		}
		if g.Oldest() > start { // the lane has overtaken the copy: there is a gap
			lane.since = g.Since()
		}
		l.mu.Unlock() // the lane may need it for a new node
		l.mu.Lock()
	}
	lane.to = len(c.records)
	lane.nodes = min(len(l.seen), cap(c.places)-len(c.places)) // there may be new nodes since count
	for i := range lane.nodes {
		s := &l.seen[i]
		c.places = append(c.places, place{s.zone, s.id, int32(s.level) - 1})
	}
	c.lanes = append(c.lanes, lane)
}

// takeEnded copies the events of lanes that have ended, as far as there is room. registry.mu is held.
func (c *EventCopy) takeEnded(begin, end platform.Ticks) {
	living := EventCopy{lanes: c.lanes} // sorted, because the registry's lanes are
	endedEvents.Each(begin, end, func(id LaneID, s eventlog.Span) {
		if _, copied := living.find(id); copied || cap(c.events)-len(c.events) < s.Len() {
			return
		}
		from := len(c.events)
		c.events = endedEvents.Append(c.events, s, begin, end)
		c.lanes = append(c.lanes, copiedLane{id: id, since: s.Since, ended: true, from: from, to: len(c.events)})
	})
}

// Drop empties the copy and gives its memory back.
func (c *EventCopy) Drop() {
	c.account(0)
	*c = EventCopy{}
}

// AppendEvents is as the function AppendEvents, for the copied events.
func (c *EventCopy) AppendEvents(dst []Event, lane LaneID, begin, end platform.Ticks) []Event {
	at, found := c.find(lane)
	if !found {
		return dst
	}
	if l := &c.lanes[at]; l.ended {
		for _, e := range c.events[l.from:l.to] {
			if e.Time >= begin && e.Time <= end {
				dst = append(dst, e)
			}
		}
	} else {
		dst = c.appendRecords(dst, l, max(begin, l.since), end)
	}
	return dst
}

// appendRecords makes events of records. Records before since may be overwritten ones, with times out of order.
func (c *EventCopy) appendRecords(dst []Event, l *copiedLane, begin, end platform.Ticks) []Event {
	records, latest := c.records[l.from:l.to], begin
	for _, r := range records[sort.Search(len(records), func(i int) bool { return records[i].Time >= begin }):] {
		if r.Time > end {
			break
		}
		if node := int(r.What >> 1); r.Time >= latest && node < l.nodes {
			p := &c.places[l.places+node]
			latest = r.Time
			dst = append(dst, Event{Time: r.Time, Zone: p.zone, Node: p.id, Level: p.level, End: r.What&1 != 0})
		}
	}
	return dst
}

// EventsSince is as the function EventsSince, for the copied events.
func (c *EventCopy) EventsSince(lane LaneID) (since platform.Ticks, kept bool) {
	if at, found := c.find(lane); found {
		return c.lanes[at].since, true
	}
	return 0, false
}

// Lanes returns the number of lanes with events in the copy.
func (c *EventCopy) Lanes() int { return len(c.lanes) }

// find returns the index of a lane. The lanes are sorted.
func (c *EventCopy) find(lane LaneID) (at int, found bool) {
	at = sort.Search(len(c.lanes), func(i int) bool { return c.lanes[i].id >= lane })
	return at, at < len(c.lanes) && c.lanes[at].id == lane
}
