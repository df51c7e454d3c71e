//go:build cgo || windows

package gl

import (
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// timerKind is the way in which a context measures time.
type timerKind uint8

const (
	timerNone    timerKind = iota
	timerStamps            // GL_TIMESTAMP: any depth
	timerElapsed           // GL_TIME_ELAPSED: one at a time
)

// timer has the queries of a context. Except for handle and broken, only the thread with the context uses it.
type timer struct {
	handle uintptr
	broken atomic.Bool // a scope ended in another context
	lane   *gather.ForeignLane
	why    error // reason why there is no lane
	kind   timerKind
	es     bool // OpenGL ES, which has a flag for wrong times

	ring       []query
	head, tail uint32   // the queries in use are those from head to tail
	open       []uint32 // the open queries
	void       uint32   // queries before this one have wrong times
	probe      uint32   // a query that has been used, 0 before the first

	out        *timerOut
	batch      []gather.ForeignScope
	base       platform.Ticks // for timerElapsed: time at which its lane's clock is 0
	calibrated platform.Ticks
	unanswered platform.Ticks // last time at which the driver had no times
	confirmed  platform.Ticks // last time at which the context existed
	stamp      uint64         // the driver's counter at the latest calibration
	bits       uint           // width of the driver's counter
}

// timerOut has the values that the driver writes. It holds no pointers, as calls into C require.
type timerOut struct {
	value     uint64
	stamp     int64
	number    int32
	available uint32
}

// query is an entry of a zone.
type query struct {
	zone   *Zone
	issued platform.Ticks
	ids    [2]uint32
	level  int32
	closed bool
}

const (
	fewestQueries = 64
	mostQueries   = 4096 // entries whose times have not arrived
	mostOpen      = 64
)

// timerHook changes a new timer. Tests use it to imitate drivers that lack a feature.
var timerHook func(*timer)

// disjoint reads and resets the flag for wrong times. It is a variable for tests.
var disjoint = func(out *timerOut) bool {
	getInteger(glGPUDisjoint, &out.number)
	return out.number != 0
}

func newTimer(handle uintptr) *timer {
	t := &timer{handle: handle, out: new(timerOut), open: make([]uint32, 0, mostOpen)}
	if t.why = load(); t.why != nil {
		return t
	}
	c, err := detect()
	if err != nil {
		t.why = err
		return t
	}
	t.choose(c)
	if timerHook != nil {
		timerHook(t)
	}
	if t.kind == timerNone {
		return t
	}
	t.lane = gather.NewForeignLane(laneName(t.kind), 1e9)
	t.batch = make([]gather.ForeignScope, 0, fewestQueries)
	t.grow()
	t.calibrate(platform.Now())
	return t
}

// choose chooses how the context measures time.
func (t *timer) choose(c *capabilities) {
	t.es = c.es
	switch {
	case c.since(33, 0, "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query"):
	case c.since(0, 0, "GL_EXT_timer_query"):
		t.kind = timerElapsed
		return
	default:
		t.why = errNoTimers
		return
	}
	t.out.number = 0
	if !c.es || c.version >= 30 { // drivers of OpenGL ES 2 have no time outside queries
		getQuery(glTimestamp, glQueryCounterBits, &t.out.number)
	}
	if t.out.number > 0 {
		t.kind, t.bits = timerStamps, uint(t.out.number)
	} else if getQuery(glTimeElapsed, glQueryCounterBits, &t.out.number); t.out.number > 0 {
		t.kind = timerElapsed
	} else {
		t.why = errNoCounter
	}
}

// isGone reports whether the context is gone and another context has its number. It asks the driver once a millisecond,
// because making a new context takes longer.
func (t *timer) isGone() bool {
	if t.probe == 0 || len(t.open) > 0 {
		return false
	}
	now := platform.Now()
	if float64(now-t.confirmed) < 1e-3*platform.TicksPerSecond() {
		return false
	}
	t.confirmed = now
	return !isQuery(t.probe)
}

// grow doubles the ring buffer. It returns false if the ring buffer has its greatest size.
func (t *timer) grow() bool {
	n := uint32(len(t.ring))
	if n >= mostQueries {
		return false
	}
	ring := make([]query, max(2*n, fewestQueries))
	mask := uint32(len(ring) - 1)
	for at := t.head; at != t.tail; at++ {
		ring[at&mask] = t.ring[at&(n-1)]
	}
	for at := t.tail; at != t.head+uint32(len(ring)); at++ {
		genQueries(&ring[at&mask].ids)
	}
	t.ring = ring
	return true
}

func (t *timer) at(i uint32) *query { return &t.ring[i&uint32(len(t.ring)-1)] }

// begin enters a zone.
func (t *timer) begin(z *Zone) gpuScope {
	if t.broken.Load() {
		t.abandon()
	}
	if len(t.open) == 0 {
		now := platform.Now()
		t.pollLater(now)
		t.calibrate(now)
	}
	level := int32(len(t.open))
	if t.kind == timerElapsed && (level > 0 || t.isBusy()) {
		return gpuScope{}
	}
	if level == mostOpen || t.tail-t.head == uint32(len(t.ring)) && !t.grow() {
		t.lane.Drop(1)
		return gpuScope{}
	}
	if !z.known.Load() {
		z.known.Store(true)
		t.lane.Know(&z.gpu)
	}
	q := t.at(t.tail)
	q.issued = platform.Now()
	q.zone = z
	q.level = level
	q.closed = false
	if t.head == t.tail {
		t.lane.Wait(q.issued)
	}
	if t.kind == timerElapsed {
		beginQuery(glTimeElapsed, q.ids[0])
	} else {
		queryCounter(q.ids[0], glTimestamp)
	}
	t.open = append(t.open, t.tail)
	t.tail++
	return gpuScope{t, t.tail - 1}
}

// isBusy reports whether the host has a query of elapsed time open.
func (t *timer) isBusy() bool {
	getQuery(glTimeElapsed, glCurrentQuery, &t.out.number)
	return t.out.number != 0
}

// end leaves an entry, and the open entries inside it.
func (t *timer) end(at uint32) {
	for n := len(t.open); n > 0 && t.open[n-1] >= at; n-- {
		if q := t.at(t.open[n-1]); t.kind == timerElapsed {
			endQuery(glTimeElapsed)
			q.closed, t.probe = true, q.ids[0]
		} else {
			queryCounter(q.ids[1], glTimestamp)
			q.closed, t.probe = true, q.ids[0]
		}
		t.open = t.open[:n-1]
	}
}

// abandon forgets all entries in progress.
func (t *timer) abandon() {
	t.broken.Store(false)
	if t.kind == timerElapsed && len(t.open) > 0 && t.isBusy() {
		endQuery(glTimeElapsed)
	}
	t.lane.Drop(int(t.tail - t.head))
	t.open, t.head = t.open[:0], t.tail
	t.lane.Wait(0)
}
