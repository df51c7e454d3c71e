package eventlog

import (
	"math"
	"sync/atomic"

	"example.com/iprof/platform"
)

// Since returns the time since which all events are in memory.
func (g *Log) Since() platform.Ticks {
	if first := g.Oldest(); first > 0 {
		return g.At(first).Time
	}
	return g.begun
}

// Oldest returns the position of the first event that is safe to read: neither overwritten nor about to be.
func (g *Log) Oldest() uint64 {
	pos, size := atomic.LoadUint64(&g.pos), uint64(len(g.ring))
	if pos+InFlight <= size || g.grows != math.MaxUint64 && pos <= g.grows { // the ring grows before it overwrites
		return g.first
	}
	return max(pos+InFlight-size, g.first)
}

// At reads the event at a position. Call Oldest afterwards to learn whether it was overwritten meanwhile.
func (g *Log) At(pos uint64) Event {
	r := &g.ring[pos&uint64(len(g.ring)-1)]
	return Event{platform.Ticks(atomic.LoadInt64((*int64)(&r.Time))), atomic.LoadUint64(&r.What)}
}

// AppendRange appends the events from one position to another. Call Oldest afterwards, as after At. Each word is copied
// whole: Go's memory moves promise that.
//
//go:norace
func (g *Log) AppendRange(dst []Event, from, to uint64) []Event {
	for size := uint64(len(g.ring)); from < to; {
		at := from & (size - 1)
		n := min(to-from, size-at)
		dst = append(dst, g.ring[at:at+n]...)
		from += n
	}
	return dst
}

// Reading reads the events of a stretch of time in batches. It contains its buffer, so it does not allocate.
//
//	for r := log.Read(begin, end); r.Next(log); {
//		if r.Gap {
//			// events were overwritten before they could be read
//		}
//		use(r.Events())
//	}
type Reading struct {
	Gap         bool // before Events
	at, last    uint64
	latest, end platform.Ticks
	n           int
	events      [64]Event
}

// Read begins to read the events with times from begin to end, both included, oldest first.
func (g *Log) Read(begin, end platform.Ticks) (r Reading) {
	r.at, r.last = g.Stretch(begin, end)
	r.latest, r.end = begin, end
	return r
}

// Events returns the events that Next has read. They are valid until it is called again.
func (r *Reading) Events() []Event { return r.events[:r.n] }

// Next reads the next batch, which may be empty. It returns false at the end.
func (r *Reading) Next(g *Log) bool {
	for r.Gap = false; r.at < r.last; {
		from, n, latest := r.at, 0, r.latest
		r.at = min(from+uint64(len(r.events)), r.last)
		for _, e := range g.AppendRange(r.events[:0], from, r.at) {
			if r.events[n] = e; e.Time >= latest && e.Time <= r.end {
				latest = e.Time
				n++
			}
		}
		if oldest := g.Oldest(); from < oldest { // some were overwritten meanwhile
			r.at, r.Gap = oldest, true
			continue
		}
		r.n, r.latest = n, latest
		return true
	}
	r.n = 0
	return r.Gap
}

// EachCall calls visit for every call whose two events are in memory, in the order of the ends. Between the two events
// are only whole calls. Their What is an even number and the next one.
func (g *Log) EachCall(visit func(what uint64, took platform.Ticks)) {
	var open []Event
	for r := g.Read(0, platform.MaxTicks); r.Next(g); {
		if r.Gap {
			open = open[:0]
		}
		for _, e := range r.Events() {
			if e.What&1 == 0 {
				open = append(open, e)
				continue
			}
			last := len(open) - 1
			if last >= 0 && open[last].What == e.What&^1 {
				visit(open[last].What, e.Time-open[last].Time)
			}
			open = open[:max(last, 0)]
		}
	}
}

// Stretch finds the positions of the events with times from begin to end, both included. It searches from the newest
// back, in steps that double, and then by halves. The goroutine may overwrite events meanwhile, which then have later
// times. first may then be too early: see Oldest. last might be too early, too, so in that case it is the position of
// the newest event.
func (g *Log) Stretch(begin, end platform.Ticks) (first, last uint64) {
	oldest, newest := g.Oldest(), atomic.LoadUint64(&g.pos)
	if first = g.from(oldest, newest, begin); first == newest {
		return first, newest
	}
	last = newest
	if end < platform.MaxTicks {
		last = g.from(first, newest, end+1)
	}
	if g.Oldest() > first {
		last = newest
	}
	return first, last
}

// from finds the first event of a time or later, between two positions. It returns newest without such an event.
func (g *Log) from(oldest, newest uint64, t platform.Ticks) uint64 {
	late := newest // and all after it are of the time or later
	for step := uint64(1); late > oldest; step *= 2 {
		at := late - min(step, late-oldest)
		if g.At(at).Time < t {
			oldest = at + 1
			break
		}
		late = at
	}
	for oldest < late {
		if at := oldest + (late-oldest)/2; g.At(at).Time < t {
			oldest = at + 1
		} else {
			late = at
		}
	}
	return late
}
