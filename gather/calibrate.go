//go:build !iprof_off

package gather

import (
	"cmp"
	"slices"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// calibrated is the last result of Calibrate, 0 for none. The others go with it: how much of that the zone itself seems to
// last, and what a pair costs that is counted only, or muted.
var calibrated, calibratedInside, calibratedCount, calibratedMute atomic.Int64

const (
	calibrationBursts = 32
	calibrationPairs  = 64 // in a burst
	costFraction      = 1024

	// A processor does part of the counting while it waits for something of the program's. How much of it goes by what else the
	// machine does. So much is told to be left where to count again takes no longer than in a loop, which is where the line that
	// bench/flake shows would end: at its quietest, a sixth above that, it left some four fifths. Estimates go by what is found in
	// place (see countedCost).
	leftOfCount = 0.5
)

// calibratedZone is entered on private lanes only. It is no local variable: that would not escape, and when its stack is moved
// it would be another zone.
var calibratedZone Zone

// Calibrate measures what a Begin and End pair costs, in 1/1024 ticks: in the quick ones of several bursts. The first Collects
// do so by themselves, unless SetClock's clock is in use. It takes some tens of microseconds; any goroutine may call it.
func Calibrate() platform.Ticks {
	l := privateLane()
	z := &calibratedZone
	n := l.add(l.root, zoneKey(z), 0)
	var pair, inside, counted, muted bursts
	for i := range calibrationBursts {
		was := l.renew(n)
		pair[i] = burst(l, z, n)
		inside[i] = n.acc - was
		counted[i] = countingBurst(l, z)
		muted[i] = mutedBurst()
	}
	nodeIDs.giveBack(l.seen)
	share := inside.share(&pair) // before quick sorts them
	cost := pair.quick()
	calibratedInside.Store(int64(share * float64(cost)))
	calibratedCount.Store(int64(leftOfCount * float64(min(counted.quick(), cost))))
	calibratedMute.Store(int64(min(muted.quick(), cost)))
	calibrated.Store(int64(cost))
	return cost
}

// renew closes the node, which stays open where the clock has gone back inside it, and returns its time.
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

// bursts are the ticks that bursts took.
type bursts [calibrationBursts]platform.Ticks

// share is the part of the other bursts' time that these took, 0..1, in the middle half of the others by length. It is one of
// sums: a clock that steps every few pairs tells nothing, or too much, in each single burst.
func (b *bursts) share(of *bursts) float64 {
	var order [calibrationBursts]int
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[:], func(i, j int) int { return cmp.Compare(of[i], of[j]) })
	var part, whole platform.Ticks
	for _, i := range order[calibrationBursts/4 : calibrationBursts*3/4] {
		part += max(b[i], 0)
		whole += max(of[i], 0)
	}
	return min(float64(part)/float64(max(whole, 1)), 1)
}

// quick is what a pair takes in a quick burst, in 1/1024 ticks: not the quickest, in which the clock may have gone back.
func (b *bursts) quick() platform.Ticks {
	slices.Sort(b[:])
	return max(b[calibrationBursts/4], 0) * costFraction / calibrationPairs
}

// The first calibration may have met a processor busy with something else: it is repeated so many times, so many seconds apart.
const (
	moreCalibrations = 32
	calibrateEvery   = 0.25
)

// calibrate calibrates if there has been none; a few times more, later: then the least counts.
func (u *updates) calibrate(now platform.Ticks, rate float64) {
	if u.calibrated == 0 && calibrated.Load() != 0 {
		u.calibrated = now
	}
	if platform.Custom() || calibrated.Load() != 0 && (u.calibrations >= moreCalibrations || float64(now-u.calibrated) < calibrateEvery*rate) {
		return
	}
	results := [...]*atomic.Int64{&calibrated, &calibratedCount, &calibratedMute}
	inside := calibratedInside.Load()
	var was [len(results)]int64
	for i, r := range results {
		was[i] = r.Load()
	}
	if cost := Calibrate(); was[0] != 0 {
		if int64(cost) >= was[0] { // what is inside belongs to the pair
			calibratedInside.Store(inside)
		}
		for i, r := range results {
			r.Store(min(was[i], r.Load()))
		}
	}
	u.calibrations, u.calibrated = u.calibrations+1, platform.Now()
}

// privateLane makes a lane that is in no table.
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

// burst times pairs on a private lane, with the look-up that an implicit Begin makes as well.
//
//go:norace
func burst(l *Lane, z *Zone, n *node) platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		_, t := platform.Enter()
		pairOn(l, z, n, t)
	}
	return platform.Now() - begin
}

// pairOn is what begin and end do once Enter has answered.
//
//go:norace
//go:noinline
func pairOn(l *Lane, z *Zone, n *node, t platform.Ticks) {
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
	if k == nil || k.acc < 0 {
		return
	}
	if t < s.Last {
		t = platform.Leave(s) // the calling goroutine has no home slot
	}
	s.Cur = unsafe.Pointer(k)
	s.Last = t
	k.count++
	storeTicks(&k.acc, k.acc-t)
	end(k)
}

// countingBurst times pairs that are counted and not timed.
//
//go:norace
func countingBurst(l *Lane, z *Zone) platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		if k := countOn(l.slot, z); k != nil {
			uncountOn(l.slot, k)
		}
	}
	return platform.Now() - begin
}

// countOn is what beginDemoted does with a node that is counted, in a slot that is no goroutine's.
//
//go:norace
//go:noinline
func countOn(s *platform.Slot, z *Zone) *node {
	k := askOn(s, z)
	if k != nil {
		k.count++
		s.Cur = unsafe.Pointer(k)
	}
	return k
}

// askOn is how beginDemoted finds out about a node.
//
//go:norace
func askOn(s *platform.Slot, z *Zone) *node {
	platform.FindTime()
	key := zoneKey(z)
	k := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for k != nil && k.key != key {
		k = k.sib
	}
	if k == nil || k.flag&flagTop != 0 {
		return nil
	}
	return k
}

// uncountOn is what end does with an entry that was counted.
//
//go:norace
//go:noinline
func uncountOn(s *platform.Slot, k *node) {
	if platform.Find() != s && s.Cur == unsafe.Pointer(k) {
		s.Cur = unsafe.Pointer(k.parent)
	}
}

// mutedZone is muted for ever.
var mutedZone = Zone{governed: zoneMuted}

// mutedBurst times pairs of a muted zone.
//
//go:norace
func mutedBurst() platform.Ticks {
	begin := platform.Now()
	for range calibrationPairs {
		mutedEntry(&mutedZone).End()
	}
	return platform.Now() - begin
}

//go:norace
//go:noinline
func mutedEntry(z *Zone) Scope {
	if off != 0 || z != nil && z.governed == zoneMuted {
		return Scope{}
	}
	return enter(z)
}

// cost is what measuring takes, in ticks: a pair, of that inside and outside of the zone; a pair that is counted, and one that is counted
// again; for each that is counted, to choose which; and one that is muted. doubt is the variance of what timing adds to counting.
type cost struct{ pair, inside, outside, counted, again, choosing, muted, doubt float64 }

// fractions are ticks in parts of which there are costFraction to one.
func fractions(ticks float64) platform.Ticks { return platform.Ticks(ticks * costFraction) }

// costs returns what Calibrate has found.
func costs() (c cost) {
	ticks := func(v *atomic.Int64) float64 { return float64(v.Load()) / costFraction }
	c.pair, c.inside = ticks(&calibrated), ticks(&calibratedInside)
	c.counted, c.muted = ticks(&calibratedCount), ticks(&calibratedMute)
	c.outside = c.pair - c.inside
	return c
}
