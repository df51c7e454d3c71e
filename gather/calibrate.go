//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// calibrated is the last result of Calibrate, 0 for none.
var calibrated atomic.Int64

const (
	calibrationBursts = 32
	calibrationPairs  = 64 // in a burst
	costFraction      = 1024
)

// Calibrate measures what a Begin and End pair costs, in 1/1024 ticks: the quickest of several bursts. The first Collect does so by
// itself, unless SetClock's clock is in use. It takes some tens of microseconds; any goroutine may call it.
func Calibrate() platform.Ticks {
	l := privateLane()
	z := new(Zone)
	n := l.add(l.root, zoneKey(z), 0)
	best := platform.MaxTicks
	for range calibrationBursts {
		best = min(best, max(burst(l, z, n), 0))
	}
	nodeIDs.giveBack(l.seen)
	cost := best * costFraction / calibrationPairs
	calibrated.Store(int64(cost))
	return cost
}

func calibrateOnce() {
	if calibrated.Load() == 0 && !platform.Custom() {
		Calibrate()
	}
}

// privateLane makes a lane that is in no table.
//
//go:norace
func privateLane() *Lane {
	l := &Lane{slot: new(platform.Slot)}
	l.root = l.add(nil, keyRoot, 0)
	l.slot.ID = platform.Goroutine()
	l.slot.Lane = unsafe.Pointer(l)
	l.slot.Cur = unsafe.Pointer(l.root)
	l.cur, l.hidden = l.root, platform.Assembly && !platform.Direct()
	if l.hidden {
		l.slot.Cur = unsafe.Pointer(&nowhere)
	}
	return l
}

// burst times pairs on a private lane, with the look-up that an implicit Begin makes as well.
//
//go:norace
func burst(l *Lane, z *Zone, n *node) platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		platform.Enter()
		pairOn(l, z, n)
	}
	return platform.Now() - begin
}

// pairOn is what begin and end do once Enter has answered.
//
//go:norace
//go:noinline
func pairOn(l *Lane, z *Zone, n *node) {
	if l.hidden {
		l.mu.Lock()
		t := l.settle(platform.Now())
		l.open(n, t)
		l.rest(t)
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
	t := s.Last
	if k == nil || k.acc < 0 {
		return
	}
	s.Cur = unsafe.Pointer(k)
	s.Last = t
	k.count++
	storeTicks(&k.acc, k.acc-t)
	end(k)
}
