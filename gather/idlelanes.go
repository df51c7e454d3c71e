//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/budget"
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
	kept := registry.lanes[:0]
	retired, scarce := false, budget.IsScarce()
	var counted []*Lane
	for _, l := range registry.lanes {
		switch {
		case l.record && !l.isOld(now, rate, scarce):
		case l.ended, l.retired && l.isUnused(now, rate, scarce):
			if l.record {
				delete(registry.records, l.name)
			}
			l.saveEvents()
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
	clear(registry.lanes[len(kept):])
	if len(kept) < len(registry.lanes)/2 && cap(kept) > 1024 {
		kept = append([]*Lane(nil), kept...)
	}
	registry.lanes, registry.endings = kept, 0
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
