//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/gather/internal/estimate"
	"example.com/iprof/platform"
)

// calibration is a result of Calibrate, in 1/1024 ticks; 0 for none.
type calibration struct {
	pair    platform.Ticks
	inside  platform.Ticks // the part of pair in the zone's own time
	counted platform.Ticks // cost of a pair that is counted and not timed
}

var lastCalibration atomic.Pointer[calibration]

// calibrated returns the last result of Calibrate.
func calibrated() (c calibration) {
	if last := lastCalibration.Load(); last != nil {
		c = *last
	}
	return c
}

const (
	calibrationBursts = 32
	calibrationPairs  = 64 // in a burst
	costFraction      = 1024

	// A counted pair overlaps with the program's other work. A program sees this share of the cost that the loop in
	// countingBurst measures (bench/flake).
	leftOfCount = 0.75
)

// calibratedZone is entered on private lanes only. It is a global because its address is its identity: a local variable
// would not escape, and would move with its stack.
var calibratedZone Zone

// Calibrate measures the cost of a Begin and End pair, in 1/1024 ticks. It takes a low quartile over several bursts of
// pairs. The first calls of Collect calibrate by themselves, unless the clock was set by platform's SetClock. Calibrate
// takes some tens of microseconds. Any goroutine may call it.
func Calibrate() platform.Ticks {
	l := privateLane()
	z := &calibratedZone
	n := l.add(l.root, zoneKey(z), 0)
	var pair, inside, counted [calibrationBursts]platform.Ticks
	for i := range calibrationBursts {
		was := l.renew(n)
		pair[i] = timingBurst(l, z, n)
		inside[i] = n.acc - was
		counted[i] = countingBurst(l, z)
	}
	l.giveIDsBack()
	perPair := func(burst platform.Ticks) platform.Ticks { return burst * costFraction / calibrationPairs }
	cost := perPair(estimate.Quick(pair[:]))
	lastCalibration.Store(&calibration{cost, platform.Ticks(estimate.Share(inside[:], pair[:]) * float64(cost)),
		platform.Ticks(leftOfCount * float64(min(perPair(estimate.Quick(counted[:])), cost)))})
	return cost
}

// renew closes the node, which stays open if the clock went back inside it, and returns its time.
//
//go:norace
func (l *Lane) renew(n *node) platform.Ticks {
	n.acc = max(n.acc, 0)
	l.slot.Last = 1 // the 0 that Enter may return is not a time
	if !l.hidden {
		l.slot.Cur = unsafe.Pointer(l.root)
	}
	return n.acc
}

// A busy processor may have disturbed the first calibration. So it is repeated, this often and with this many seconds
// between.
const (
	moreCalibrations = 32
	calibrateEvery   = 0.25
)

// calibrate calibrates if that has not been done. Later it repeats the calibration and keeps the least result.
func (u *updates) calibrate(now platform.Ticks, rate float64) {
	was := calibrated()
	if u.calibrated == 0 && was.pair != 0 {
		u.calibrated = now
	}
	recent := float64(now-u.calibrated) < calibrateEvery*rate || u.calibrations >= moreCalibrations
	if platform.Custom() || was.pair != 0 && recent {
		return
	}
	if Calibrate(); was.pair != 0 {
		c := calibrated()
		if c.pair >= was.pair {
			c.pair, c.inside = was.pair, was.inside
		}
		c.counted = min(c.counted, was.counted)
		lastCalibration.Store(&c)
	}
	u.calibrations, u.calibrated = u.calibrations+1, platform.Now()
}

// privateLane makes a lane that no table has.
//
//go:norace
func privateLane() *Lane {
	l := &Lane{slot: new(platform.Slot)}
	l.root = l.add(nil, keyRoot, 0)
	l.slot.Serve(platform.Goroutine())
	l.slot.Lane = unsafe.Pointer(l)
	l.slot.Cur = unsafe.Pointer(l.root)
	l.cur, l.hidden = l.root, platform.Assembly && !platform.Direct()
	if l.hidden {
		l.slot.Cur = unsafe.Pointer(&nowhere)
	}
	return l
}

// timingBurst times pairs on a private lane. It includes the slot lookup that Begin makes.
//
//go:norace
func timingBurst(l *Lane, z *Zone, n *node) platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		_, t := platform.Enter()
		pairOn(l, z, n, t)
	}
	return platform.Now() - begin
}

// pairOn does the steps of begin and end after Enter.
//
//go:norace
//go:noinline
func pairOn(l *Lane, z *Zone, n *node, t platform.Ticks) {
	if l.hidden {
		l.mu.Lock()
		t := l.catchUp(platform.Now())
		l.open(n, t)
		l.rearm(t)
		l.mu.Unlock()
		endSlow(n)
		return
	}
	s := l.slot
	key := zoneKey(z)
	k := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for k != nil && k.key != key {
		k = k.sib
	}
	if k == nil || k.acc < 0 {
		return
	}
	if t < s.Last {
		t = platform.Leave(s) // the calling goroutine has no home slot
	}
	s.Cur = unsafe.Pointer(k)
	k.count++
	storeTicks(&k.acc, k.acc-t)
	used(s, &s.Last, t)
	end(scopeOf(k).p)
}

// countingBurst times pairs that are counted and not timed.
//
//go:norace
func countingBurst(l *Lane, z *Zone) platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		if n := countOn(l.slot, z); n != nil {
			uncountOn(l.slot, n)
		}
	}
	return platform.Now() - begin
}

// countOn does the steps of beginGoverned for a counted node, in a slot that belongs to no goroutine.
//
//go:norace
//go:noinline
func countOn(s *platform.Slot, z *Zone) *node {
	platform.Find()
	n := kid(s, zoneKey(z))
	if n == nil || asked(s) || n.flag&flagTop != 0 {
		return nil
	}
	n.count++
	s.Cur = unsafe.Pointer(n)
	return n
}

// uncountOn does the steps of end for a counted entry.
//
//go:norace
//go:noinline
func uncountOn(s *platform.Slot, n *node) {
	if platform.Find() != s && s.Cur == unsafe.Pointer(n) {
		s.Cur = unsafe.Pointer(n.parent)
	}
}

// fractions converts ticks to 1/1024 ticks.
func fractions(ticks float64) platform.Ticks { return platform.Ticks(ticks * costFraction) }

// calibratedCosts returns the results of Calibrate, in ticks.
func calibratedCosts() (c cost) {
	last := calibrated()
	c.pair, c.inside = float64(last.pair)/costFraction, float64(last.inside)/costFraction
	c.counted, c.doubt = float64(last.counted)/costFraction, c.pair
	return c
}
