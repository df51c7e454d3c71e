//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/gather/internal/source"
	"example.com/iprof/platform"
)

// ForeignLane is a lane whose scopes another clock has timed, such as the commands of a GPU. Its owner adds scopes when
// their times arrive, frames later. They are counted in the frame in which they were issued: see Complete. Any
// goroutine may call its methods. A nil ForeignLane is valid and does nothing.
type ForeignLane struct {
	lane    *Lane
	waiting atomic.Int64 // see Wait
	perTick float64      // ticks of our clock in one of the foreign clock

	// Guarded by the lane's mutex.
	foreign    int64          // the latest calibration point
	at         platform.Ticks // the same moment on our clock
	first      int64          // the first calibration point
	firstAt    platform.Ticks
	calibrated bool
	drift      float64
	open       []foreignOpen // scratch: the scopes that the next one may lie in
	latest     platform.Ticks
	done       []foreignTime // in the order of Add
	sums       []foreignSum  // scratch: by node
}

// foreignOpen is a scope of the batch that is being added.
type foreignOpen struct {
	n   *node
	end platform.Ticks

	at int // in done, -1 if it is not there
}

// foreignTime is the time of a scope until its frame is complete.
type foreignTime struct {
	node   uint32
	issued platform.Ticks
	self   platform.Ticks
}

type foreignSum struct {
	self  platform.Ticks
	count uint32
	out   int32 // index in the frame, plus 1
}

// mostForeign bounds the scopes of a foreign lane that wait for their frame.
const mostForeign = 1 << 16

// NewForeignLane makes a lane for a clock with that many ticks a second. Names need not be unique. It returns nil
// beyond Limits.Lanes, and if the rate is not above 0.
func NewForeignLane(name string, perSecond float64) *ForeignLane {
	if !(perSecond > 0) {
		return nil
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	if isFull() {
		dropped.lanes.Add(1)
		return nil
	}
	registry.lastLane++
	slot := &platform.Slot{Cur: unsafe.Pointer(&nowhere)}
	l := &Lane{slot: slot, id: registry.lastLane, hidden: true, foreign: true, name: source.Keep(name), named: true}
	l.root = l.add(nil, keyRoot, 0)
	l.cur, l.read = l.root, platform.Now()
	l.applySettings()
	registry.lanes = append(registry.lanes, l)
	f := &ForeignLane{lane: l, perTick: platform.TicksPerSecond() / perSecond}
	foreigners = append(foreigners, f)
	return f
}

// ID returns the lane's number, 0 for a nil lane.
func (f *ForeignLane) ID() LaneID {
	if f == nil {
		return 0
	}
	return f.lane.id
}

// Calibrate sets a calibration point: the foreign clock read foreign when ours read at. Call it before the first Add
// and each second or so: times between two points are computed with the rate of NewForeignLane.
func (f *ForeignLane) Calibrate(foreign int64, at platform.Ticks) {
	if f == nil {
		return
	}
	f.lane.mu.Lock()
	defer f.lane.mu.Unlock()
	if !f.calibrated {
		f.first, f.firstAt, f.calibrated = foreign, at, true
	}
	f.foreign, f.at = foreign, at
	if ours := float64(at - f.firstAt); ours > 0 {
		f.drift = float64(foreign-f.first)*f.perTick/ours - 1
	}
}

// Drift returns how much faster the foreign clock runs than its rate says, from the first calibration point to the
// latest: 1e-6 is a microsecond a second. It is 0 before the second point.
func (f *ForeignLane) Drift() float64 {
	if f == nil {
		return 0
	}
	f.lane.mu.Lock()
	defer f.lane.mu.Unlock()
	return f.drift
}

// Know makes the caller's place that of a zone of this lane. Else it is that of the first Add.
func (f *ForeignLane) Know(z *Zone) {
	if f != nil && z != nil {
		zones.of(z)
	}
}

// Wait says that scopes issued since that time are not added yet: Complete does not call their frames complete. 0 says
// that all are added.
func (f *ForeignLane) Wait(since platform.Ticks) {
	if f != nil {
		f.waiting.Store(int64(since))
	}
}

// Drop counts scopes in Dropped.Foreign whose times the owner could not get.
func (f *ForeignLane) Drop(scopes int) {
	if f != nil && scopes > 0 {
		dropped.foreign.Add(uint64(scopes))
	}
}

// Close ends the lane.
func (f *ForeignLane) Close() {
	if f != nil {
		f.Wait(0)
		f.lane.detach(false)
	}
}

// Add adds scopes in the order of their beginnings, the inner after the outer. Every call begins with a scope of level
// 0. It does nothing before the first Calibrate.
func (f *ForeignLane) Add(scopes []ForeignScope) {
	if f == nil {
		return
	}
	l := f.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || !f.calibrated {
		f.Drop(len(scopes))
		return
	}
	l.applySettings()
	for i := range scopes {
		f.add(&scopes[i])
	}
	f.closeTo(0)
}

// add opens a scope after it has closed those that it does not lie in.
func (f *ForeignLane) add(s *ForeignScope) {
	level := min(max(s.Level, 0), len(f.open))
	f.closeTo(level)
	parent, end := f.lane.root, platform.MaxTicks-1
	if level > 0 {
		parent, end = f.open[level-1].n, f.open[level-1].end
	}
	begin := min(max(f.ours(s.Begin), f.latest), end)
	end = min(max(f.ours(s.End), begin), end)
	n := f.child(parent, s.Zone)
	o := foreignOpen{n: n, end: end, at: -1}
	if n != parent && len(f.done) < mostForeign {
		o.at = len(f.done)
		f.done = append(f.done, foreignTime{n.idx, s.Issued, end - begin})
		if level > 0 && f.open[level-1].at >= 0 {
			f.done[f.open[level-1].at].self -= end - begin
		}
	} else {
		f.Drop(1)
	}
	f.log(n, begin, 0)
	f.open = append(f.open, o)
}

// closeTo closes the innermost scopes down to a level.
func (f *ForeignLane) closeTo(level int) {
	for len(f.open) > level {
		o := f.open[len(f.open)-1]
		f.open = f.open[:len(f.open)-1]
		f.log(o.n, o.end, 1)
	}
}

func (f *ForeignLane) log(n *node, t platform.Ticks, what uint64) {
	f.latest = max(f.latest, t)
	f.lane.log.Grow()
	if n != f.lane.root {
		f.lane.logEvent(n, f.latest, what)
	}
}

// ours converts a reading to our clock.
func (f *ForeignLane) ours(foreign int64) platform.Ticks {
	return max(f.at+platform.Ticks(float64(foreign-f.foreign)*f.perTick), 0)
}

// child finds or makes the node of a zone. It returns parent beyond the limits.
func (f *ForeignLane) child(parent *node, z *Zone) *node {
	l, key := f.lane, zoneKey(z)
	if z == nil {
		return parent
	}
	if n := l.find(parent, key); n != nil {
		return n
	}
	zone, known := zones.of(z)
	if room, _ := l.room(parent); !room || !known {
		return parent
	}
	return l.add(parent, key, zone)
}
