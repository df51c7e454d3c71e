//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// Unused lanes are given up in two steps, each after this many frames and seconds. First a lane is retired: no
// goroutine finds it any more. Then it is dropped. Variables for the tests.
var (
	idleFrames  = int32(600)
	idleSeconds = 10.0
)

// vacantFrames is how many frames a lane without a goroutine is kept for the next one of its crowd.
const vacantFrames = 60

// scarceHaste is how many times sooner unused lanes are given up when memory is scarce.
const scarceHaste = 10

// dropEnded drops the lanes that have ended, and gives up those that have long been unused.
func (u *updates) dropEnded(now platform.Ticks, rate float64) {
	kept, scarce := registry.awake[:0], budget.IsScarce()
	retired, gone := u.lookAtSleepers(now, rate, scarce), u.lanes
	var counted []*Lane
	for _, l := range registry.awake {
		switch {
		case l.asleep:
			continue
		case l.record && !l.isOld(now, rate, scarce):
		case l.ended, l.retired && l.isUnused(now, rate, scarce):
			if l.record {
				forgetRecord(l)
			}
			l.saveEvents()
			gone = append(gone, l)
			if l.counting > 0 {
				counted = append(counted, l)
				continue
			}
			l.drop()
			continue
		case l.idle >= vacantFrames && !l.named && l.markEnded(true): // it may have run since it was read
		case l.isUnused(now, rate, scarce):
			l.retire(now)
			retired = true
		}
		kept = append(kept, l)
	}
	registry.awake.cut(len(kept))
	registry.endings = 0
	registry.lanes.remove(gone...)
	u.lanes = emptied(gone)
	for _, l := range counted { // the calls counted on them are kept
		earlierLane().absorb(l)
		l.drop()
	}
	if retired {
		registry.slots.Clean()
	}
	registry.sealed.Store(isFull())
}

// isUnused reports whether the lane may be given up. A lane in a home slot stays, since any goroutine that gets the
// same place may inherit it. When memory is scarce, those go too, and all go sooner.
func (l *Lane) isUnused(now platform.Ticks, rate float64, scarce bool) bool {
	if scarce {
		return l.idle >= idleFrames/scarceHaste && float64(now-l.idleAt) >= idleSeconds/scarceHaste*rate
	}
	return l.idle >= idleFrames && float64(now-l.idleAt) >= idleSeconds*rate && platform.Home(l.key) != l.slot
}

// retire hides the lane from its goroutine. The goroutine may be inside a Begin, so the lane is still read for a while.
func (l *Lane) retire(now platform.Ticks) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retired, l.idle, l.idleAt = true, 0, now
	l.leaveSlot()
}

// A lane on which nothing happens for some frames goes to sleep: it leaves registry.awake, and Collect no longer visits
// it. So a program may have any number of goroutines that wait. First the lane dozes: it is sent to the slow path, as
// by poke. The slow path wakes it, with the lane's mutex held. Collect visits a dozing lane for some more frames. A
// Begin that was under way before the poke is seen in these: it has written Read or the lane's nodes by then. What does
// not take the slow path (Alloc, Units, Count) looks at dozing after it has written.
//
// Only lanes without an open zone sleep, so a sleeping lane has nothing to report. Its time passes outside zones. When
// it wakes, that time is left out, as far as frames have ended.

// A lane dozes after dozeAfter frames without activity, and sleeps after sleepAfter.
const (
	dozeAfter  = 4
	sleepAfter = 7
)

// quietSince returns the time since which no lane that is asleep has had an entry or an end. The registry's mutex is
// held.
func (u *updates) quietSince() platform.Ticks { return u.ends[(u.frames.Load()+1)%uint64(len(u.ends))] }

// laneSleep is whether a lane is asleep. The lane's mutex guards it.
type laneSleep struct {
	asleep   bool           // it is not in registry.awake; written with both mutexes held
	quiet    int32          // reports in a row without activity
	fellAt   uint64         // number of frames when it fell asleep, or was looked at last
	wokeAt   platform.Ticks // when it woke
	nextWoke *Lane          // in the stack woken
}

// woken is a stack of lanes that were asleep. The next Collect takes them.
var woken atomic.Pointer[Lane]

// reportedTo is the end of the last frame, in ticks: sleeping lanes count as reported up to then.
var reportedTo atomic.Int64

// maySleep reports whether a lane without activity may sleep. The mutexes are held.
//
//go:norace
func (l *Lane) maySleep() bool {
	return !l.main && !l.ended && !l.retired && !l.isNobodys() && l.at() == l.root && off == 0 &&
		l.governed == nil && !l.mutes && len(l.late)+l.touched.number+len(l.credits) == 0 && (l.named || !l.isVacant())
}

// doze is called for each Collect that found no activity on the lane. Both mutexes are held.
func (l *Lane) doze() {
	if l.quiet++; l.quiet < dozeAfter || !l.maySleep() {
		return
	}
	switch {
	case !l.dozing.Load():
		l.dozing.Store(true)
		l.poke()
	case !asked(l.slot):
		l.quiet = dozeAfter // the lane's goroutine has written over it
		l.poke()
	case l.quiet >= sleepAfter && loadTicks(&l.slot.Read) == 0:
		l.asleep, l.fellAt = true, registry.updates.frames.Load()
	}
}

// stayAwake is called for each Collect that found activity on the lane. Both mutexes are held.
func (l *Lane) stayAwake() {
	if l.quiet = 0; l.dozing.Load() {
		l.dozing.Store(false)
	}
}

// rouse wakes the lane at time t, if it dozes or sleeps. The lane's mutex is held.
func (l *Lane) rouse(t platform.Ticks) {
	if !l.dozing.Load() {
		return
	}
	l.stayAwake()
	if !l.asleep {
		return
	}
	end := platform.Ticks(reportedTo.Load())
	if l.slow.Load() && end > l.last { // as raise does for a lane that is awake
		if l.raised.to != l.last {
			l.raised.from = l.last
		}
		l.last, l.raised.to = end, end
	}
	l.wokeAt = max(t, end)
	l.leaveOut(end)
	quiet.Call(l.pushWoken)
}

// pushWoken adds the lane to woken.
func (l *Lane) pushWoken() {
	for {
		l.nextWoke = woken.Load()
		if woken.CompareAndSwap(l.nextWoke, l) {
			return
		}
	}
}

// stir wakes the lane for something that is not on the slow path. It is called after that has been written.
func (l *Lane) stir() {
	if l.dozing.Load() {
		l.stirSlow()
	}
}

//go:noinline
func (l *Lane) stirSlow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.rouse(platform.Now())
	}
}

// leaveOut leaves the time from the last report up to a frame's end out of the lane's life.
func (l *Lane) leaveOut(end platform.Ticks) {
	if end = min(end, l.wokeAt); end > l.read {
		l.seen[0].hier += end - l.read
		l.read = end
	}
}

// takeWoken adds the lanes that have woken to those that are visited, of which the frame that ends now is the first
// with move. The registry's mutex is held.
func (u *updates) takeWoken(now platform.Ticks, move bool) {
	if move {
		reportedTo.Store(int64(now))
	}
	var first *Lane
	quiet.Call(func() { first = woken.Swap(nil) })
	for l := first; l != nil; {
		next := l.nextWoke
		if l.join() {
			u.lanes = append(u.lanes, l)
		}
		l = next
	}
	registry.awake.add(u.lanes)
	u.lanes = emptied(u.lanes)
}

// join ends the lane's sleep. It returns false if the lane was dropped meanwhile. The registry's mutex is held.
func (l *Lane) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nextWoke, l.asleep = nil, false
	if !l.ended && !l.record { // a frame may have ended since it woke
		l.leaveOut(registry.updates.end)
	}
	return len(l.seen) > 0
}

// wakeAll wakes all lanes. The registry's mutex is held.
func (u *updates) wakeAll() {
	eachLane(func(l *Lane) { l.rouse(platform.Now()) })
	u.takeWoken(u.end, false)
}

// Of the sleeping lanes, a frame looks at so many, or at this share of them.
const (
	leastLooked = 16
	lookShare   = 2048
)

// lookAtSleepers ends some of the sleeping lanes, as dropEnded does with others: those whose goroutine has ended, and
// those that have long been unused. A frame looks at few. The next frame drops them.
func (u *updates) lookAtSleepers(now platform.Ticks, rate float64, scarce bool) (ended bool) {
	number := max(leastLooked, len(registry.lanes)/lookShare)
	if scarce {
		number *= scarceHaste
	}
	if len(registry.lanes) == len(registry.awake) {
		return false
	}
	for range min(number, len(registry.lanes)) {
		if u.looked++; u.looked >= len(registry.lanes) {
			u.looked = 0
		}
		if l := registry.lanes[u.looked]; l.asleep {
			ended = l.endAsleep(now, rate, scarce) || ended
		}
	}
	return ended
}

// endAsleep ends a sleeping lane that nobody needs any more. It reports whether it did.
func (l *Lane) endAsleep(now platform.Ticks, rate float64, scarce bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	frames := registry.updates.frames.Load()
	if !l.dozing.Load() || l.named {
		return false
	}
	l.idle += int32(frames - l.fellAt)
	l.fellAt = frames
	if l.isUnused(now, rate, scarce) || l.idle >= vacantFrames && l.isVacant() && !l.log.Keeps() {
		l.finish()
		return true
	}
	return false
}
