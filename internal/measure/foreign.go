//go:build !iprof_off

package measure

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/foreign"
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// ForeignLane is a lane whose scopes another clock has timed, such as the commands of a GPU. Its owner adds scopes when
// their times arrive, frames later. They count in the frame in which they were issued: see Complete. Any goroutine may
// call its methods. A nil ForeignLane is valid and does nothing.
type ForeignLane struct {
	lane    *Lane
	waiting atomic.Int64 // see Wait

	// Guarded by the lane's mutex.
	clock  foreign.Clock
	scopes foreign.Queue
}

// ForeignScope is one scope of a ForeignLane.
type ForeignScope struct {
	Zone       *Zone          // only for this lane, because reports merge equal paths of all lanes
	Begin, End int64          // readings of the foreign clock
	Level      int            // number of enclosing scopes: 0 is outermost
	Issued     platform.Ticks // platform.Now when the program gave the work to the device
}

// NewForeignLane makes a lane for a clock with perSecond ticks a second. Names need not be unique. It returns nil
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
	l := &Lane{laneStack: laneStack{slot: slot, hidden: true},
		laneOwner: laneOwner{id: registry.lastLane, foreign: true, name: sites.Keep(name), named: true}}
	l.root = l.add(nil, keyRoot, 0)
	l.cur, l.reportedAt = l.root, platform.Now()
	l.applySettings()
	registry.lanes, registry.awake = append(registry.lanes, l), append(registry.awake, l)
	f := &ForeignLane{lane: l, clock: foreign.NewClock(platform.TicksPerSecond() / perSecond)}
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

// Calibrate sets a calibration point: the foreign clock showed reading when the profiler's clock showed at. Call it
// before the first Add, then about once a second: between points the rate of NewForeignLane applies.
func (f *ForeignLane) Calibrate(reading int64, at platform.Ticks) {
	if f == nil {
		return
	}
	f.lane.mu.Lock()
	defer f.lane.mu.Unlock()
	f.clock.Calibrate(reading, at)
}

// Drift returns the relative error of the foreign clock's given rate, from the first calibration point to the latest:
// 1e-6 means that it gains a microsecond a second. It is 0 before the second point.
func (f *ForeignLane) Drift() float64 {
	if f == nil {
		return 0
	}
	f.lane.mu.Lock()
	defer f.lane.mu.Unlock()
	return f.clock.Drift()
}

// Know makes the caller's place in the source the place of a zone. Without it a zone has the place of its first Add.
func (f *ForeignLane) Know(z *Zone) {
	if f != nil && z != nil {
		zones.of(z)
	}
}

// Wait makes frames incomplete until the scopes issued since that time are added: see Complete. 0 means that all are
// added.
func (f *ForeignLane) Wait(since platform.Ticks) {
	if f != nil {
		f.waiting.Store(int64(since))
	}
}

// Drop adds to Dropped.Foreign the number of scopes whose times the owner could not get.
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

// Add adds scopes in the order of their beginnings, inner after outer. The first scope of each call has level 0. It
// does nothing before the first Calibrate.
func (f *ForeignLane) Add(scopes []ForeignScope) {
	if f == nil {
		return
	}
	l := f.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || !f.clock.IsCalibrated() {
		f.Drop(len(scopes))
		return
	}
	l.applySettings()
	for i := range scopes {
		f.add(&scopes[i])
	}
	f.scopes.CloseTo(0, f.log)
}

// add closes the open scopes that do not contain the new scope, then opens it.
func (f *ForeignLane) add(s *ForeignScope) {
	parent := f.lane.node(f.scopes.CloseTo(s.Level, f.log))
	n := f.child(parent, s.Zone)
	if !f.scopes.Open(n.idx, n != parent, f.clock.Ours(s.Begin), f.clock.Ours(s.End), s.Issued, f.log) {
		f.Drop(1)
	}
}

// log writes an event.
func (f *ForeignLane) log(node uint32, t platform.Ticks, what uint64) {
	f.lane.log.Grow()
	if node != f.lane.root.idx {
		f.lane.logEvent(f.lane.node(node), t, what)
	}
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

// longestWait is in seconds. A frame waits only for scopes issued at most this long before it.
const longestWait = 5

// foreigners holds the lanes that Complete asks. registry.mu guards it.
var foreigners []*ForeignLane

// Complete adds the parts of foreign lanes to a frame of Collect: the scopes issued before its end. It reports whether
// all of them have arrived. If not, the caller may call it again later. Complete adds the parts when it returns true,
// or when now is set. Scopes that arrive after their frame count in the next one, and in Dropped.Late. Any goroutine
// may call it.
func Complete(f *Frame, now bool) bool {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	foreigners = slices.DeleteFunc(foreigners, func(l *ForeignLane) bool { return l.lane.ended })
	if !now {
		for _, l := range foreigners {
			since := platform.Ticks(l.waiting.Load())
			gone := float64(f.Begin-since) > longestWait*f.TicksPerSecond // its context is probably gone
			if since != 0 && since < f.End && !gone {
				return false
			}
		}
	}
	for _, l := range foreigners {
		l.report(f)
	}
	if len(foreigners) > 0 {
		f.Zones = zones.all() // zones only ever increase from frame to frame, and the frame before may have some more
	}
	return true
}

// report adds the lane's part to a frame. The root gets the frame's time outside of scopes.
func (f *ForeignLane) report(to *Frame) {
	l := f.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	sums, work, late := f.scopes.Take(to.Begin, to.End, len(l.base), l.above)
	dropped.late.Add(uint64(late))
	if sums == nil && f.waiting.Load() == 0 {
		return
	}
	length, start := max(to.End-to.Begin, work), len(to.nodes)
	to.nodes = append(to.nodes, Node{Self: length - work, ID: l.base[0].id, Parent: -1})
	l.base[0].out = 0
	for i := 1; i < len(sums); i++ {
		n := &l.base[i]
		s := sums[i]
		if s.Shown {
			n.out = int32(len(to.nodes) - start)
			to.nodes = append(to.nodes, Node{Self: s.Self, ID: n.id, Zone: n.zone, Count: s.Count, Depth: n.depth,
				Parent: l.base[l.above(uint32(i))].out})
		}
	}
	to.Lanes = append(to.Lanes, LaneFrame{ID: l.id, Name: l.label(), Device: true, Drift: f.clock.Drift(),
		Begin: to.Begin, End: to.Begin + length, Nodes: to.nodes[start:len(to.nodes):len(to.nodes)]})
}

// forgetForeign drops the added scopes that no frame has.
func forgetForeign() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, f := range foreigners {
		f.lane.mu.Lock()
		f.scopes.Forget()
		f.lane.mu.Unlock()
	}
}
