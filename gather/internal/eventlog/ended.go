package eventlog

import (
	"unsafe"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/platform"
)

// Ended has the events of goroutines that ended lately. All of them share one ring. K is a goroutine's number, and E is
// an event. The caller guards it with a mutex.
type Ended[K comparable, E any] struct {
	Time func(*E) platform.Ticks // returns an event's time

	ring    []E    // its length is a power of two
	pos     uint64 // number of events ever written
	spans   map[K]Span
	order   []K // the one that ended first is first
	scratch []E
}

// Span locates the events of one goroutine.
type Span struct {
	Since    platform.Ticks // all events from this time on are there
	from, to uint64
}

// Len returns the number of events.
func (s Span) Len() int { return int(s.to - s.from) }

// The lengths of the ring.
const (
	leastEnded = 1 << 12
	MostEnded  = 1 << 16 // 1.5 MB of events of 24 bytes
)

// Save keeps the events that appendTo appends, oldest first. All of them from since on are there.
func (e *Ended[K, E]) Save(key K, since platform.Ticks, appendTo func([]E) []E) {
	e.scratch = appendTo(e.scratch[:0])
	events := e.scratch
	if e.grow(len(events)); len(e.ring) == 0 || len(events) == 0 {
		return
	}
	if more := len(events) - len(e.ring); more > 0 {
		events, since = events[more:], e.Time(&events[more])
	}
	span := Span{Since: since, from: e.pos}
	for i := range events {
		*e.at(e.pos) = events[i]
		e.pos++
	}
	span.to = e.pos
	if e.spans == nil {
		e.spans = make(map[K]Span)
	}
	e.spans[key] = span
	e.order = append(e.order, key)
	e.forget()
}

func (e *Ended[K, E]) at(pos uint64) *E { return &e.ring[pos&uint64(len(e.ring)-1)] }

// grow makes the ring longer, if it has no room for so many more events without losing others.
func (e *Ended[K, E]) grow(more int) {
	size := max(len(e.ring), leastEnded)
	for size < MostEnded && e.used()+more > size {
		size *= 2
	}
	bytes := e.bytes(size - len(e.ring))
	if size == len(e.ring) || !Fits(bytes) {
		return
	}
	budget.Add(budget.Events, bytes)
	old := e.ring
	e.ring = make([]E, size)
	for at := e.pos - min(e.pos, uint64(len(old))); at < e.pos; at++ {
		*e.at(at) = old[at&uint64(len(old)-1)]
	}
}

func (e *Ended[K, E]) bytes(events int) int64 {
	var one E
	return int64(events) * int64(unsafe.Sizeof(one))
}

// used returns the number of events that are kept.
func (e *Ended[K, E]) used() int {
	if len(e.order) == 0 {
		return 0
	}
	return int(e.pos - e.spans[e.order[0]].from)
}

// forget drops goroutines whose events have been overwritten.
func (e *Ended[K, E]) forget() {
	gone := 0
	for gone < len(e.order) && e.spans[e.order[gone]].from+uint64(len(e.ring)) < e.pos {
		delete(e.spans, e.order[gone])
		gone++
	}
	e.order = append(e.order[:0], e.order[gone:]...)
}

// Free drops all events.
func (e *Ended[K, E]) Free() {
	budget.Add(budget.Events, -e.bytes(len(e.ring)))
	*e = Ended[K, E]{Time: e.Time}
}

// Len returns the length of the ring.
func (e *Ended[K, E]) Len() int { return len(e.ring) }

// Goroutines returns the number of goroutines that have events.
func (e *Ended[K, E]) Goroutines() int { return len(e.order) }

// Find returns where a goroutine's events are.
func (e *Ended[K, E]) Find(key K) (s Span, found bool) {
	s, found = e.spans[key]
	return s, found
}

// Append appends the events of a span with times from begin to end, both included.
func (e *Ended[K, E]) Append(dst []E, s Span, begin, end platform.Ticks) []E {
	for at := s.from; at < s.to; at++ {
		if v := e.at(at); e.Time(v) >= begin && e.Time(v) <= end {
			dst = append(dst, *v)
		}
	}
	return dst
}

// Each calls do for the goroutines that have events around a stretch of time, the first to end first.
func (e *Ended[K, E]) Each(begin, end platform.Ticks, do func(K, Span)) {
	for _, key := range e.order {
		if s := e.spans[key]; e.Time(e.at(s.from)) <= end && e.Time(e.at(s.to-1)) >= begin {
			do(key, s)
		}
	}
}
