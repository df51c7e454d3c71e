package eventlog

import (
	"cmp"
	"slices"
	"sort"
	"unsafe"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/platform"
)

// Copy has the events of several goroutines in a stretch of time. They stay there when the goroutines overwrite theirs.
// The zero value is empty. One goroutine may use it at a time.
//
// K is a goroutine's number. The What of an Event names a place of its goroutine: What/2 is the number of a place of
// its goroutine, and What%2 is 1 at an end. P is what the caller keeps of a place. E is an event of Ended.
type Copy[K cmp.Ordered, P, E any] struct {
	records []Event // of goroutines that go on
	places  []P
	events  []E         // of goroutines that have ended
	copied  []copied[K] // ascending by key, after Sort
	bytes   int64
	time    func(*E) platform.Ticks
}

// copied locates the events of a goroutine.
type copied[K cmp.Ordered] struct {
	key      K
	since    platform.Ticks // all events from this time on are there
	ended    bool           // they are in events, else in records
	from, to int
	places   int // index of its first place
	kinds    int // number of its places
}

const copiesShare = 4 // all copies take at most this part of the limit of memory

// Reset empties the copy, and keeps its memory.
func (c *Copy[K, P, E]) Reset() {
	c.records, c.places, c.events, c.copied = c.records[:0], c.places[:0], c.events[:0], c.copied[:0]
}

// Drop empties the copy and gives its memory back.
func (c *Copy[K, P, E]) Drop() {
	c.account(0)
	*c = Copy[K, P, E]{}
}

// Reserve gets memory for an empty copy, and reports whether there is room for it. Memory that is far too large is
// given back.
func (c *Copy[K, P, E]) Reserve(records, places, events int) bool {
	var place P
	var event E
	need := int64(records)*eventBytes + int64(places)*int64(unsafe.Sizeof(place)) +
		int64(events)*int64(unsafe.Sizeof(event))
	if records <= cap(c.records) && places <= cap(c.places) && events <= cap(c.events) && need >= c.bytes/4 {
		return true
	}
	c.account(0)
	c.records, c.places, c.events = nil, nil, nil
	if budget.Held(budget.Copies)+need > budget.Limit()/copiesShare || !budget.Fits(need) {
		return false
	}
	c.records, c.places, c.events = make([]Event, 0, records), make([]P, 0, places), make([]E, 0, events)
	c.account(need)
	return true
}

// account sets the number of bytes that the copy counts as held.
func (c *Copy[K, P, E]) account(bytes int64) {
	budget.Add(budget.Copies, bytes-c.bytes)
	c.bytes = bytes
}

// Begin begins the events of a goroutine, which has so many places. There may be more of them than when Reserve was
// called. Then the events of the last ones are left out.
func (c *Copy[K, P, E]) Begin(key K, g *Log, places int, place func(i int) P) {
	l := copied[K]{key: key, since: g.Since(), from: len(c.records), to: len(c.records), places: len(c.places)}
	l.kinds = min(places, cap(c.places)-len(c.places))
	for i := range l.kinds {
		c.places = append(c.places, place(i))
	}
	c.copied = append(c.copied, l)
}

// Take copies the events of the goroutine begun last from one position to another, as far as there is room. It returns
// the position of the next event. Events that are overwritten meanwhile are missing at the beginning.
func (c *Copy[K, P, E]) Take(g *Log, from, to uint64) (next uint64) {
	to = min(to, from+uint64(cap(c.records)-len(c.records)))
	for at := from; at < to; at++ {
		c.records = append(c.records, g.At(at))
	}
	l := &c.copied[len(c.copied)-1]
	if l.to = len(c.records); g.Oldest() > from { // the goroutine has overtaken the copy: there is a gap
		l.since = g.Since()
	}
	return to
}

// TakeEnded copies the events of goroutines that have ended, as far as there is room. Those copied before they ended
// are left out. Until then they are in order.
func (c *Copy[K, P, E]) TakeEnded(e *Ended[K, E], begin, end platform.Ticks) {
	c.time = e.Time
	before := Copy[K, P, E]{copied: c.copied}
	e.Each(begin, end, func(key K, s Span) {
		if before.find(key) != nil || cap(c.events)-len(c.events) < s.Len() {
			return
		}
		from := len(c.events)
		c.events = e.Append(c.events, s, begin, end)
		c.copied = append(c.copied, copied[K]{key: key, since: s.Since, ended: true, from: from, to: len(c.events)})
	})
	slices.SortFunc(c.copied, func(a, b copied[K]) int { return cmp.Compare(a.key, b.key) })
}

// Append appends a goroutine's events with times from begin to end, both included, oldest first. event makes one of a
// record.
func (c *Copy[K, P, E]) Append(dst []E, key K, begin, end platform.Ticks, event func(*P, Event) E) []E {
	l := c.find(key)
	if l == nil {
		return dst
	}
	if !l.ended {
		return c.appendRecords(dst, l, max(begin, l.since), end, event)
	}
	for _, e := range c.events[l.from:l.to] {
		if t := c.time(&e); t >= begin && t <= end {
			dst = append(dst, e)
		}
	}
	return dst
}

// appendRecords makes events of records. Records before since may be overwritten ones, with times out of order.
func (c *Copy[K, P, E]) appendRecords(dst []E, l *copied[K], begin, end platform.Ticks,
	event func(*P, Event) E,
) []E {
	records, latest := c.records[l.from:l.to], begin
	for _, r := range records[sort.Search(len(records), func(i int) bool { return records[i].Time >= begin }):] {
		if r.Time > end {
			break
		}
		if place := int(r.What >> 1); r.Time >= latest && place < l.kinds {
			latest = r.Time
			dst = append(dst, event(&c.places[l.places+place], r))
		}
	}
	return dst
}

// Since returns the time from which on all events of a goroutine are there. found is false if it has none.
func (c *Copy[K, P, E]) Since(key K) (since platform.Ticks, found bool) {
	if l := c.find(key); l != nil {
		return l.since, true
	}
	return 0, false
}

// Len returns the number of goroutines with events in the copy.
func (c *Copy[K, P, E]) Len() int { return len(c.copied) }

// find returns a goroutine, or nil.
func (c *Copy[K, P, E]) find(key K) *copied[K] {
	at := sort.Search(len(c.copied), func(i int) bool { return c.copied[i].key >= key })
	if at == len(c.copied) || c.copied[at].key != key {
		return nil
	}
	return &c.copied[at]
}
