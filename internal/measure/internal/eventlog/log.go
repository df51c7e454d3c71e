// Package eventlog keeps the latest events of one goroutine in a ring buffer. Others may read it meanwhile.
//
//	if log.Ready() {
//		log.Put(now, what)
//	} else {
//		log.Grow() // rarely, and with a mutex held
//	}
//
// A ring starts small and doubles when it is full, while there is memory. Then it overwrites its oldest events.
package eventlog

import (
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// Event is one event, in 16 bytes. The owner of the log defines the values of What.
type Event struct {
	Time platform.Ticks
	What uint64
}

// The least and the largest length of a ring. A length of 1 keeps no events: see Keeps.
const (
	Least = 64
	Most  = 1 << 20
)

// InFlight is the number of oldest events that a reader skips, because the goroutine may overwrite them during the
// read.
const InFlight = 8

// All rings together take at most 1/eventsShare of the limit of memory. A ring grows by at most 1/ringShare of the
// rest.
const (
	eventsShare = 4
	ringShare   = 4
)

const eventBytes = int64(unsafe.Sizeof(Event{}))

// Log holds a goroutine's events. Only that goroutine may call Put and Ready. The caller guards Grow and the methods of
// readers with one mutex.
type Log struct {
	pos   uint64         // number of events ever written
	grows uint64         // the pos at which the ring grows or begins to overwrite
	ring  []Event        // its length is a power of two
	want  int            // the largest length of the ring
	first uint64         // the oldest event that was copied when the ring grew
	lost  uint64         // overwritten events that Lost has returned
	begun platform.Ticks // time of the log's making; 0: the log began with the goroutine's first event

	before []uint64
}

// New makes a log with a ring of up to size events. The size is a power of two. before is the caller's: see Before.
func New(size int, before []uint64) *Log {
	g := &Log{want: size, begun: platform.Now(), before: before}
	g.ring = make([]Event, min(size, Least))
	budget.Add(budget.Events, g.bytes())
	g.setGrows()
	return g
}

// BeginWhole declares that the goroutine of a new log has had no events before.
func (g *Log) BeginWhole() { g.begun = 0 }

// Round returns the size of a log for events: a power of two from Least to Most, or 0 for none.
func Round(events int) int {
	if events <= 0 {
		return 0
	}
	return 1 << bits.Len(uint(min(max(events, Least), Most)-1))
}

// Free counts the log's memory as freed.
func (g *Log) Free() { budget.Add(budget.Events, -g.bytes()) }

func (g *Log) bytes() int64 { return int64(len(g.ring))*eventBytes + int64(len(g.before))*8 }

// Before returns element i of the slice before given to New, 0 beyond its end.
func (g *Log) Before(i uint32) uint64 {
	if int(i) >= len(g.before) {
		return 0
	}
	return g.before[i]
}

// Restart makes Before return n for number i from now on. A nil log is valid.
func (g *Log) Restart(i uint32, n uint64) {
	if g == nil {
		return
	}
	if more := int(i) + 1 - len(g.before); more > 0 {
		g.before = append(g.before, make([]uint64, more)...)
		budget.Add(budget.Events, int64(more)*8)
	}
	g.before[i] = n
}

// Position returns the number of events ever written, 0 for a nil log.
//
//go:norace
func (g *Log) Position() uint64 {
	if g == nil {
		return 0
	}
	return g.pos
}

// Overwrote reports whether all events written before a Position are overwritten. It is true for a nil log, and for
// positions of an earlier log, which may exceed this log's.
//
//go:norace
func (g *Log) Overwrote(position uint64) bool {
	return g == nil || g.gone() >= position || position > g.pos
}

// gone returns the number of events no longer in memory.
//
//go:norace
func (g *Log) gone() uint64 {
	pos := atomic.LoadUint64(&g.pos)
	return max(pos-min(pos, uint64(len(g.ring))), g.first)
}

// Size returns the size that New was called with, 0 for a nil log.
func (g *Log) Size() int {
	if g == nil {
		return 0
	}
	return g.want
}

// Len returns the present length of the ring.
func (g *Log) Len() int { return len(g.ring) }

// Keeps reports whether the log keeps events. A log of size 1 keeps none, and a nil log is valid and keeps none.
func (g *Log) Keeps() bool { return g != nil && len(g.ring) > 1 }

// Ready reports whether Put may be called. Otherwise call Grow first.
//
//go:norace
func (g *Log) Ready() bool { return g.pos < g.grows }

// Put writes an event.
//
//go:norace
func (g *Log) Put(t platform.Ticks, what uint64) {
	r := &g.ring[g.pos&uint64(len(g.ring)-1)]
	r.Time, r.What = t, what
	platform.Publish(&g.pos, g.pos+1)
}

// setGrows makes the ring grow when it is full, unless it has its largest length.
func (g *Log) setGrows() {
	if g.grows = math.MaxUint64; len(g.ring) < g.want {
		g.grows = g.first + uint64(len(g.ring))
	}
}

// Grow doubles a full ring if memory allows. Otherwise the ring begins to overwrite its oldest events. The log's
// goroutine calls it. A nil log is valid.
//
//go:norace
func (g *Log) Grow() {
	if g == nil || g.Ready() {
		return
	}
	more := int64(len(g.ring)) * eventBytes
	if !Fits(more) {
		budget.Refuse()
		g.grows = math.MaxUint64
		return
	}
	budget.Add(budget.Events, more)
	old := g.ring
	g.first = g.pos - min(g.pos, uint64(len(old)))
	g.ring = make([]Event, 2*len(old))
	for at := g.first; at < g.pos; at++ {
		g.ring[at&uint64(len(g.ring)-1)] = old[at&uint64(len(old)-1)]
	}
	g.setGrows()
}

// Retry lets a ring grow that found no memory before, if there is some now. A reader calls it.
//
//go:norace
func (g *Log) Retry() {
	if g.Keeps() && g.grows == math.MaxUint64 && len(g.ring) < g.want && Fits(int64(len(g.ring))*eventBytes) {
		g.grows = 0
	}
}

// Fits reports whether a ring may grow by more bytes.
func Fits(more int64) bool {
	left := budget.Limit()/eventsShare - budget.Held(budget.Events)
	return more <= left/ringShare && budget.HasRoom(more)
}

// Lost returns the number of events overwritten since its last call.
//
//go:norace
func (g *Log) Lost() (events uint64) {
	if !g.Keeps() {
		return 0
	}
	gone := g.gone()
	events = gone - min(g.lost, gone)
	g.lost += events
	return events
}
