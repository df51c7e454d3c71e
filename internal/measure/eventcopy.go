//go:build !iprof_off

package measure

import (
	"runtime"
	"slices"
	"sort"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

// EventCopy is a copy of the events of all lanes in a stretch of time. It keeps them when the lanes overwrite theirs.
// The zero value is empty. All copies together take at most a quarter of Limits.Bytes, and three eighths with those of
// TakeBriefly. One goroutine may use it at a time.
type EventCopy struct {
	records []eventlog.Event // of lanes that go on
	places  []place
	events  []Event        // of lanes that have ended
	copied  []copiedLane   // ascending by lane, after takeEnded
	bytes   *heldBytes     // nil for none ever
	brief   bool           // to be dropped soon
	sources []*Lane        // scratch
	counts  int            // number of times that it looked at all lanes for its size
	start   platform.Ticks // beginning of the stretch of time
	silent  LaneID         // lanes up to this one outside copied had no events since asked; 0: no lanes
}

// copiedLane locates the events of a lane.
type copiedLane struct {
	_        incomparable
	lane     LaneID
	since    platform.Ticks // all events from this time on are copied
	ended    bool           // they are in events, else in records
	none     bool           // the lane keeps no events
	from, to int
	places   int // index of its first place
	kinds    int // number of its places
}

// place is the part of an event that comes from its node.
type place struct {
	zone  ZoneID
	id    NodeID
	level int32
}

func (s *baseline) place() place { return place{s.zone, s.id, int32(s.level) - 1} }

const (
	copyChunk   = 1024 // events copied under one lock of a lane: some microseconds
	copiesShare = 4    // all copies take at most this part of the limit of memory
	briefShare  = 8    // and copies that are dropped soon this part besides
)

// TakeBriefly is Take for a copy that is dropped soon. Copies by Take leave room for it.
func (c *EventCopy) TakeBriefly(begin, end platform.Ticks) bool {
	c.brief = true
	return c.Take(begin, end)
}

// Take replaces the copy with the events from begin to end, both included. It copies from every lane that keeps events,
// and from recently ended lanes. It returns false and leaves the copy empty if Limits.Bytes has no room. It reuses
// memory. A lane waits only when it makes a new node, and at most for the copy of 1,024 events. For recent frames it
// skips parked lanes.
func (c *EventCopy) Take(begin, end platform.Ticks) bool {
	c.records = c.records[:0]
	c.places = c.places[:0]
	c.events = c.events[:0]
	c.copied = c.copied[:0]
	registry.mu.Lock()
	c.choose(begin)
	usual := lastCopied
	c.copied = slices.Grow(c.copied, len(c.sources))
	ended := 0
	endedEvents.each(begin, end, func(_ LaneID, s span) { ended += s.len() })
	registry.mu.Unlock()
	defer func() { clear(c.sources) }()
	if cap(c.records) == 0 { // a first guess from the last copy saves a second pass over the lanes
		c.reserve(usual.records, usual.places, ended)
	}
	whole := ended <= cap(c.events) && c.takeAll(begin, end, false)
	if !whole || c.need(len(c.records), len(c.places), ended) < c.held()/4 {
		records, places := c.count(begin, end)
		if !c.reserve(records+records/8, places+places/8, ended) && !c.reserve(records, places, ended) {
			c.Drop()
			return false
		}
		c.takeAll(begin, end, true)
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	c.takeEnded(begin, end) // the registry's lanes were in order
	lastCopied = copiedSize{len(c.records) + len(c.records)/8, len(c.places) + len(c.places)/8}
	return true
}

// choose lists the lanes that may have events since a time. The registry's mutex is held.
func (c *EventCopy) choose(begin platform.Ticks) {
	from := registry.lanes
	c.start = begin
	c.silent = 0
	if begin >= registry.updates.quietSince() && len(from) > 0 {
		c.silent, from = from[len(from)-1].id, registry.awake
	}
	c.sources = append(c.sources[:0], from...)
}

// lastCopied has the size of the last copy. registry.mu guards it.
var lastCopied copiedSize

// copiedSize is the size of a copy plus an eighth.
type copiedSize struct{ records, places int }

// count returns the lanes' number of records in a stretch of time, and the number of their nodes.
func (c *EventCopy) count(begin, end platform.Ticks) (records, places int) {
	c.counts++
	for _, l := range c.sources {
		l.mu.Lock()
		if l.log.Keeps() {
			if first, last := l.log.Stretch(begin, end); last > first {
				records, places = records+int(last-first), places+len(l.base)
			}
		}
		l.mu.Unlock()
	}
	return records, places
}

// need returns the bytes that these numbers of records, places and events take.
func (c *EventCopy) need(records, places, events int) int64 {
	return int64(records)*int64(unsafe.Sizeof(eventlog.Event{})) + int64(places)*int64(unsafe.Sizeof(place{})) +
		int64(events)*int64(unsafe.Sizeof(Event{}))
}

// reserve gets memory for an empty copy, and reports whether there is room for it. Memory that is far too large is
// given back.
func (c *EventCopy) reserve(records, places, events int) bool {
	need := c.need(records, places, events)
	if records <= cap(c.records) && places <= cap(c.places) && events <= cap(c.events) && need >= c.held()/4 {
		return true
	}
	c.account(0)
	c.records, c.places, c.events = nil, nil, nil
	most := budget.Limit() / copiesShare
	if c.brief {
		most += budget.Limit() / briefShare
	}
	if budget.Held(budget.Copies)+need > most || !budget.Fits(need) {
		return false
	}
	c.records, c.places = make([]eventlog.Event, 0, records), make([]place, 0, places)
	c.events = make([]Event, 0, events)
	c.account(need)
	return true
}

// heldBytes is the number of bytes that a copy counts as held. It holds a pointer, because the garbage collector may
// keep small values without pointers alive.
type heldBytes struct {
	n int64
	_ *byte
}

// account sets the number of bytes that the copy counts as held. A collected copy holds none. runtime.AddCleanup would
// do the same, but add 1.5 kB to each program.
func (c *EventCopy) account(bytes int64) {
	if c.bytes == nil {
		c.bytes = new(heldBytes)
		runtime.SetFinalizer(c.bytes, func(b *heldBytes) { budget.Add(budget.Copies, -b.n) })
	}
	budget.Add(budget.Copies, bytes-c.bytes.n)
	c.bytes.n = bytes
}

// held returns the number of bytes that the copy counts as held.
func (c *EventCopy) held() int64 {
	if c.bytes == nil {
		return 0
	}
	return c.bytes.n
}

// takeAll copies the events of the sources, and reports whether there was room for all. If skipFull is false,
// it stops at the first lane for which there is no room.
func (c *EventCopy) takeAll(begin, end platform.Ticks, skipFull bool) bool {
	c.records, c.places, c.copied = c.records[:0], c.places[:0], c.copied[:0]
	for _, l := range c.sources {
		if !c.take(l, begin, end) && !skipFull {
			return false
		}
	}
	return true
}

// take copies a lane's events, in chunks, and reports whether there was room.
func (c *EventCopy) take(l *Lane, begin, end platform.Ticks) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.log
	if !g.Keeps() {
		c.copied = append(c.copied, copiedLane{lane: l.id, none: true})
		return true
	}
	at, last := g.Stretch(begin, end)
	whole := c.begin(l, at < last)
	for at < last && l.log == g {
		from := at
		if at = c.takeRecords(g, from, min(from+copyChunk, last)); at == from {
			return false
		}
		if at < last {
			l.mu.Unlock() // the lane may need it for a new node
			l.mu.Lock()
		}
	}
	return whole
}

// begin begins a lane, and its events if there are any. The lane may have more nodes than at the time of count. Then
// begin leaves out the events of the newest nodes, and returns false. The lane's mutex is held.
func (c *EventCopy) begin(l *Lane, events bool) bool {
	at := copiedLane{lane: l.id, since: l.log.Since(), from: len(c.records), to: len(c.records), places: len(c.places)}
	if events {
		at.kinds = min(len(l.base), cap(c.places)-len(c.places))
	}
	for i := range at.kinds {
		c.places = append(c.places, l.base[i].place())
	}
	c.copied = append(c.copied, at)
	return !events || at.kinds == len(l.base)
}

// takeRecords copies events of the current lane from one position to another, as far as there is room. It returns the
// position of the next event. Events overwritten meanwhile are missing at the beginning.
func (c *EventCopy) takeRecords(g *eventlog.Log, from, to uint64) (next uint64) {
	to = min(to, from+uint64(cap(c.records)-len(c.records)))
	c.records = g.AppendRange(c.records, from, to)
	l := &c.copied[len(c.copied)-1]
	if l.to = len(c.records); g.Oldest() > from { // the goroutine has overtaken the copy: there is a gap
		l.since = g.Since()
	}
	return to
}

// takeEnded copies the events of ended lanes, as far as there is room. It leaves out lanes copied before their ends.
// Before the call, the lanes are sorted. The registry's mutex is held.
func (c *EventCopy) takeEnded(begin, end platform.Ticks) {
	before := len(c.copied)
	endedEvents.each(begin, end, func(lane LaneID, s span) {
		at, found := c.search(lane, before)
		if found && !c.copied[at].none || cap(c.events)-len(c.events) < s.len() {
			return
		}
		from := len(c.events)
		c.events = endedEvents.appendTo(c.events, s, begin, end)
		l := copiedLane{lane: lane, since: s.since, ended: true, from: from, to: len(c.events)}
		if found { // it ended while others were copied
			c.copied[at] = l
		} else {
			c.copied = append(c.copied, l)
		}
	})
	if len(c.copied) > before {
		sort.Sort((*byLane)(c))
	}
}

// byLane sorts the lanes of a copy: see byNode.
type byLane EventCopy

func (b *byLane) Len() int           { return len(b.copied) }
func (b *byLane) Less(i, k int) bool { return b.copied[i].lane < b.copied[k].lane }
func (b *byLane) Swap(i, k int)      { b.copied[i], b.copied[k] = b.copied[k], b.copied[i] }

// Drop empties the copy and gives its memory back.
func (c *EventCopy) Drop() {
	c.account(0)
	*c = EventCopy{}
}

// AppendEvents is the function AppendEvents for the copied events.
func (c *EventCopy) AppendEvents(dst []Event, lane LaneID, begin, end platform.Ticks) []Event {
	l := c.find(lane)
	if l == nil {
		return dst
	}
	if !l.ended {
		return c.appendRecords(dst, l, max(begin, l.since), end)
	}
	for _, e := range c.events[l.from:l.to] {
		if e.Time >= begin && e.Time <= end {
			dst = append(dst, e)
		}
	}
	return dst
}

// appendRecords converts records to events. Records before since may have been overwritten, with times out of order.
func (c *EventCopy) appendRecords(dst []Event, l *copiedLane, begin, end platform.Ticks) []Event {
	records, places, latest := c.records[l.from:l.to], c.places[l.places:l.places+l.kinds], begin
	records = records[sort.Search(len(records), func(i int) bool { return records[i].Time >= begin }):]
	n := len(dst)
	dst = slices.Grow(dst, len(records))[:n+len(records)]
	for i := range records {
		r := &records[i]
		if r.Time > end {
			break
		}
		if node := r.What >> 1; r.Time >= latest && node < uint64(len(places)) {
			latest = r.Time
			p, e := &places[node], &dst[n]
			e.Time = r.Time
			e.Zone = p.zone
			e.Node = p.id
			e.Level = p.level
			e.End = r.What&1 != 0
			n++
		}
	}
	return dst[:n]
}

// EventsSince is the function EventsSince for the copied events.
func (c *EventCopy) EventsSince(lane LaneID) (since platform.Ticks, kept bool) {
	if l := c.find(lane); l != nil {
		return l.since, !l.none
	}
	if lane <= c.silent {
		return c.start, true
	}
	return 0, false
}

// Lanes returns the number of lanes with events in the copy.
func (c *EventCopy) Lanes() (n int) {
	for i := range c.copied {
		if !c.copied[i].none {
			n++
		}
	}
	return n
}

// Len returns the number of events in the copy.
func (c *EventCopy) Len() int { return len(c.records) + len(c.events) }

// find returns a lane, or nil.
func (c *EventCopy) find(lane LaneID) *copiedLane {
	at, found := c.search(lane, len(c.copied))
	if !found {
		return nil
	}
	return &c.copied[at]
}

// search returns the index of a lane among the first n, which are sorted.
func (c *EventCopy) search(lane LaneID, n int) (at int, found bool) {
	at = sort.Search(n, func(i int) bool { return c.copied[i].lane >= lane })
	return at, at < n && c.copied[at].lane == lane
}
