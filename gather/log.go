//go:build !iprof_off

package gather

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// A lane that is to write down more than sums has a log. Its slot's Last is then raised above any time, so that every Begin
// and End leaves the path that costs least by the test it makes anyway, and goes on from Real: switched off, events cost
// nothing.
type log struct {
	pos    uint64         // records ever written
	ring   []record       // a power of two; one if there is a log for other reasons
	counts []uint64       // each node's entries when the ring was made
	lost   uint64         // overwritten records already counted
	begun  platform.Ticks // when the ring was made
}

// record is one event: 16 bytes.
type record struct {
	t    platform.Ticks
	what uint64 // the node's index, twice, and one more for an end
}

// The bounds of SetEvents, and how many of the oldest records a reader leaves alone because they may just be overwritten.
const (
	leastEvents = 64
	mostEvents  = 1 << 20
	inFlight    = 8
)

// wanted is what lanes are to write down. Lanes compare its generation with theirs whenever they take the slow path.
var wanted struct {
	generation atomic.Uint32
	events     atomic.Int64 // per lane
}

// logs reports whether a log is all that keeps a Begin or End from the short path.
//
//go:norace
func logs(s *platform.Slot, t platform.Ticks) bool { return s.Log != nil && t >= s.Real }

//go:norace
func logBegin(s *platform.Slot, n *node, t platform.Ticks) {
	(*log)(s.Log).put(t, uint64(n.idx)<<1)
	s.Real = t
}

//go:norace
func logEnd(s *platform.Slot, n *node, t platform.Ticks) {
	(*log)(s.Log).put(t, uint64(n.idx)<<1|1)
	s.Real = t
}

//go:norace
func (g *log) put(t platform.Ticks, what uint64) {
	r := &g.ring[g.pos&uint64(len(g.ring)-1)]
	r.t, r.what = t, what
	publish(&g.pos, g.pos+1)
}

// SetEvents makes every lane keep its latest events, the beginning and the end of every scope: so many per lane, rounded up to
// a power of two between 64 and 1,048,576; 0 or less, which is how it starts, keeps none. An event takes 16 bytes. The oldest
// are overwritten, which Frame.Dropped counts. Lanes begin to keep them at their next Begin or End. Any goroutine may call it.
func SetEvents(perLane int) {
	if perLane > 0 {
		perLane = 1 << bits.Len(uint(min(max(perLane, leastEvents), mostEvents)-1))
	}
	wanted.events.Store(int64(max(perLane, 0)))
	askLanes()
}

// askLanes makes every lane look at what is wanted.
func askLanes() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	wanted.generation.Add(1)
	eachLane((*Lane).ask)
	if len(registry.lanes) > 0 && registry.lanes[0].id == 0 {
		earlierLane().follow()
	}
}

// ask sends the lane's goroutine the slow way if it has not seen yet what is wanted.
//
//go:norace
func (l *Lane) ask() {
	if !l.ended && !l.retired && l.generation != wanted.generation.Load() {
		l.poke()
	}
}

// hear makes the log that is wanted. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) hear() {
	if l.generation != wanted.generation.Load() {
		l.adopt()
	}
}

//go:norace
func (l *Lane) adopt() {
	l.generation = wanted.generation.Load()
	l.metered = Memory() == HeapPerZone
	l.govern()
	for i := range l.seen {
		n := l.node(uint32(i))
		l.setCalls(n, n.flag&flagUntimed == 0 && l.hasCalls(n))
	}
	l.setLog()
}

// setLog makes the log that events and the counting of calls need. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) setLog() {
	size := int(wanted.events.Load())
	if l.id == 0 { // no goroutine's
		return
	}
	if size == 0 && l.counting > 0 {
		size = 1
	}
	if l.log == nil && size == 0 || l.log != nil && len(l.log.ring) == size {
		return
	}
	l.countLost()
	l.log = nil
	if size > 0 {
		l.log = &log{ring: make([]record, size), counts: make([]uint64, len(l.seen)), begun: platform.Now()}
		for i := range l.log.counts {
			l.log.counts[i] = l.node(uint32(i)).count
		}
	}
	l.slot.Log = unsafe.Pointer(l.log)
}

// keeps reports whether there are events.
func (g *log) keeps() bool { return g != nil && len(g.ring) > 1 }

// note writes an event from the slow path.
//
//go:norace
func (l *Lane) note(n *node, t platform.Ticks, what uint64) {
	if g := l.log; g != nil {
		g.put(t, uint64(n.idx)<<1|what)
	}
}

// countLost counts what was overwritten since it was last called. The lane's mutex is held.
//
//go:norace
func (l *Lane) countLost() {
	if !l.log.keeps() {
		return
	}
	if pos, size := atomic.LoadUint64(&l.log.pos), uint64(len(l.log.ring)); pos > size+l.log.lost {
		dropped.events.Add(pos - size - l.log.lost)
		l.log.lost = pos - size
	}
}
