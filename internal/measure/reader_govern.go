//go:build !iprof_off

// This file decides when the governor acts, and on which nodes. Package governor explains its terms.

package measure

import (
	"math"
	"unsafe"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// SetOverheadLimit limits the overhead of measuring, as a share of each lane's time: 0.02 is 2 %. The default 0 means
// no limit. A share above 1 is 1.
//
// While a lane is above the limit, the governor demotes the nodes that it enters most often for the least time. It
// still counts each of their entries, but times only some, in bursts at random gaps. From these it estimates the self
// time of all entries. The rest of the time stays in the enclosing zone. Node.Estimated marks both, and
// NodeExtra.Variance is the square of their standard error. Counts, sums and the hierarchical times of timed zones stay
// exact. Once full measuring has been cheap for some frames, the governor times all entries again.
//
// It never demotes zones with SetPerCall, nor nodes on lanes in MemoryHeapPerZone, nor nodes at which counting
// would save less than it costs Update. Only timed entries have events. If counting alone costs more than the limit,
// the limit is missed, and reports show it: see SetMuted. The limit takes a few frames to act, and some tenths of a
// second in a frame that does not end. Any goroutine may call it.
func SetOverheadLimit(share float64) {
	if !(share > 0) {
		share = 0
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	overheadLimit.Store(math.Float64bits(min(share, 1)))
	if share > 0 {
		beat.Set(governBeat)
		return
	}
	beat.Set(nil)
	eachLane(func(l *Lane) { l.promote() })
	followLanes()
}

var beaten struct { // state at the last beat
	quiet.Mutex
	frame Frame
	quiet int // beats in a row at which all goroutines waited
}

// mostQuiet is the number of such beats after which the governor rests: it takes a second.
const mostQuiet = 10

// governBeat is one beat. It returns true if the governor should rest until the next entry of a zone. It rests when all
// goroutines wait, perhaps for ever: then Go's runtime can report the deadlock.
func governBeat() (rest bool) {
	governFrame()
	if !quietForLong() {
		return false
	}
	beat.Rest()
	registry.mu.Lock()
	eachLane((*Lane).poke) // its next Begin or End is a slow path, which wakes the governor: see catchUp
	registry.mu.Unlock()
	if !platform.OthersWait() {
		wakeBeat()
	}
	return true
}

// quietForLong reports whether all goroutines have waited at the last mostQuiet beats.
func quietForLong() bool {
	beaten.Lock()
	defer beaten.Unlock()
	if beaten.quiet++; !platform.OthersWait() {
		beaten.quiet = 0
	}
	if beaten.quiet < mostQuiet {
		return false
	}
	beaten.quiet = 0
	return true
}

// governFrame governs the current frame, if it has lasted since the last beat. The program may never end such a frame.
func governFrame() {
	beaten.Lock()
	defer beaten.Unlock()
	registry.mu.Lock()
	f, now := &beaten.frame, registry.updates.frames.Load()
	registry.mu.Unlock()
	if f.Index == now && !platform.Custom() { // a custom clock may belong to one goroutine
		firstSet.peek(f, turnGovern, func(*LaneFrame) {})
	}
	f.Index = now
}

// govern estimates the unmeasured times in the lane's part of a frame, and decides which nodes to demote. It returns
// the number of untimed entries.
func (w *walk) govern() (untimed uint64) {
	limit, l := OverheadLimit(), w.lane
	if l.governed == nil && limit == 0 && !l.mutes {
		return 0
	}
	w.locate()
	muted, forms := uint64(0), l.governed != nil && len(l.governed.forms) > 0
	if l.mutes {
		muted = w.countMuted(!forms)
	}
	if forms {
		untimed = w.estimate()
	}
	if muted > 0 {
		w.estimateMuted(!forms)
		w.mix(float64(untimed), float64(muted))
		untimed += muted
	}
	acts := limit > 0 && !w.frozen && (w.move || reading.turn == turnGovern)
	if acts && w.judge(w.allowed(limit*float64(w.length)), float64(untimed)) {
		reading.judged = true
	}
	return untimed
}

// mutedCost is the cost of an entry of a muted zone, as a share of that of a counted one
// (BenchmarkBegin/case=muted-pair and case=demoted-pair).
const mutedCost = 0.5

// mix sets the cost of a counted entry to the mean over entries of demoted nodes and of muted zones.
func (w *walk) mix(demoted, muted float64) {
	w.inPlace = w.costs()
	w.inPlace.Counted *= (demoted + mutedCost*muted) / (demoted + muted)
}

// allowed returns the ticks left for pairs, out of those that measuring may take. Slow paths take the others, which
// demotion cannot reduce. A quarter is always left.
func (w *walk) allowed(all float64) float64 {
	return max(all-float64(w.lane.slowTime.Since(false)), all/4)
}

// The time in seconds that counting a node's entries must save in a frame, which is what its second node costs Update
// (bench/overhead -sizes). In a lane of many nodes they are in no cache. A variable for tests.
var leastWorth = 1e-6

// cached is the number of nodes whose data a cache of the processor holds.
const cached = 1000

// judge demotes nodes if measuring costs more than the allowed ticks, and promotes all if timing them has been cheap
// for some frames. It reports any change.
func (w *walk) judge(allowed, untimed float64) (changed bool) {
	l, c, entries := w.lane, w.costs(), 0.0
	for i := range w.out[w.start+1:] {
		entries += float64(w.out[w.start+1+i].Count)
	}
	f := governor.Frame{Length: float64(w.length), Allowed: allowed, Full: entries * c.Pair,
		Saved: untimed * (c.Pair - c.Counted), Pair: c.Pair, Counted: c.Counted,
		Least: leastWorth * platform.TicksPerSecond() * (1 + float64(len(w.out)-w.start)/cached)}
	if l.metered || w.length <= 0 || l.governed == nil && f.Full <= allowed {
		return l.metered && l.promote()
	}
	if l.governed == nil {
		ghost := platform.Slot{Lane: unsafe.Pointer(l)}
		l.governed = &governed{Policy: governor.New(), ghost: ghost}
	}
	switch l.governed.Judge(f) {
	case governor.Promote:
		return l.promote()
	case governor.Demote:
		if changed = l.governed.Demote(f, w.entered()); changed {
			l.askAgain()
		}
	}
	return changed
}

// entered lists the nodes in the frame that may be demoted: not the root, the profiler's own nodes and nodes of holds.
//
//go:norace
func (w *walk) entered() []governor.Node {
	const never = flagFolded | flagWatch | flagHeld | flagCalls | flagPending | flagMirror | flagMuted
	nodes, s := w.out[w.start:], &reading.scratch
	s.entered = s.entered[:0]
	for i := 1; i < len(nodes); i++ {
		n := s.spots[i].node
		s.entered = append(s.entered, governor.Node{Node: n.idx, Count: nodes[i].Count, Self: nodes[i].Self,
			Never: n.flag&never != 0 || n.key <= keyNotKept})
	}
	return s.entered
}

// promote promotes all nodes. It reports whether any were demoted.
func (l *Lane) promote() (changed bool) {
	if l.governed == nil || !l.governed.Promote() {
		return false
	}
	l.governed.enclosers = enclosers{}
	l.askAgain()
	return true
}

// askAgain sends the lane's goroutine to Lane.govern.
func (l *Lane) askAgain() {
	l.generation = wanted.generation.Load() - 1
	l.pokeStale()
}

// followLanes marks the zones demoted on any lane, and chooses the entering functions. The registry's mutex is held.
//
//go:norace
func followLanes() {
	demoted := map[ZoneID]bool{}
	for _, l := range registry.lanes {
		l.mu.Lock()
		for i := range l.base {
			if l.governed.wants(uint32(i)) && !l.ended {
				demoted[l.base[i].zone] = true
			}
		}
		l.mu.Unlock()
	}
	zones.each(func(z *Zone, id ZoneID) { z.mark(zoneDemoted, demoted[id]) })
	switchTo(len(demoted) > 0 || zones.muted.hasAny())
}
