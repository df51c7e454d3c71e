//go:build !iprof_off

package measure

import (
	"unsafe"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

const calibrationBursts = 32

var calibrationPairs = governor.PairsInBurst(platform.Assembly)

// calibratedZone is entered on private lanes only. It is a global because its address is its identity: a local variable
// would not escape, and would move with its stack.
var calibratedZone Zone

// Calibrate measures the cost of a Begin and End pair, in 1/1024 ticks. It takes a low quartile over several bursts of
// pairs. The first calls of Collect call it, unless the program has set its own clock with platform.SetClock. Calibrate
// takes some tens of microseconds; a few milliseconds without assembly, and in the first call with a clock of
// millisecond steps. Any goroutine may call it.
func Calibrate() platform.Ticks {
	l := &Lane{laneStack: laneStack{slot: new(platform.Slot)}} // a lane outside the registry
	l.slot.Serve(platform.Goroutine())
	l.plant(0)
	z := &calibratedZone
	n := l.add(l.root, zoneKey(z), 0)
	var pair, inside, counted [calibrationBursts]platform.Ticks
	for i := range calibrationBursts {
		was := l.renew(n)
		pair[i] = timingBurst(l, z, n)
		inside[i] = n.acc - was
		counted[i] = countingBurst(l, z)
	}
	c := governor.FromBursts(calibrationPairs, pair[:], inside[:], counted[:])
	if c.Pair == 0 { // the clock did not move
		if c = calibrated(); c.Pair == 0 {
			c = governor.FromSteps(calibrationPairs, platform.Now, func() { l.renew(n); timingBurst(l, z, n) },
				func() { countingBurst(l, z) })
		}
	}
	l.giveIDsBack()
	lastCalibration.Store(c)
	return c.Pair
}

// renew closes the node and returns its time. A node stays open if the clock went back inside it.
//
//go:norace
func (l *Lane) renew(n *node) platform.Ticks {
	n.acc = max(n.acc, 0)
	l.slot.Last = 1 // the 0 that Enter may return is not a time
	l.moveTo(l.root)
	return n.acc
}

// calibrate calibrates on its first call. Later it repeats the calibration and keeps the least result.
func (r *reader) calibrate(now platform.Ticks, rate float64) {
	was := calibrated()
	if !r.calibrations.IsDue(now, rate, was.Pair != 0) || platform.Custom() {
		return
	}
	if Calibrate(); was.Pair != 0 {
		lastCalibration.Store(calibrated().Least(was))
	}
	r.calibrations.Done(platform.Now())
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
	storeTicks(&k.acc, k.acc-t)
	k.count++
	used(s, &s.Last, t)
	end(scopeOf(k).p)
}

// countingBurst times pairs that are counted and not timed.
//
//go:norace
func countingBurst(l *Lane, z *Zone) platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		if scope := countOn(l.slot, z); scope.p != nil {
			uncountOn(l.slot, scope.p)
		}
	}
	return platform.Now() - begin
}

// countOn does the steps of beginGoverned for a counted node, in a slot that belongs to no goroutine.
//
//go:norace
//go:noinline
func countOn(s *platform.Slot, z *Zone) Scope {
	_, t := platform.FindTime()
	n := kid(s, zoneKey(z))
	if t != 0 || n == nil || asked(s) || n.flag&flagTop != 0 {
		return Scope{}
	}
	n.count++
	s.Cur = unsafe.Pointer(n)
	return scopeOf(n)
}

// uncountOn does the steps of end for a counted entry.
//
//go:norace
//go:noinline
func uncountOn(s *platform.Slot, p unsafe.Pointer) {
	n := (*node)(unsafe.Pointer(uintptr(p) &^ offsetMask))
	if n.slot.Cur == unsafe.Pointer(n) && (n.count^uint64(uintptr(p)))&countMask == 0 && platform.Find() != s {
		s.Cur = unsafe.Pointer(n.parent)
	}
}
