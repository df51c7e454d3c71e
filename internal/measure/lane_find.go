//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// finding leads from a goroutine to its lane. The registry's mutex guards changes of the slots and of the epoch.
var finding struct {
	epoch   uint32             // of the platform's clock
	slots   platform.SlotTable // of the lanes
	sealed  atomic.Bool        // the limit of lanes is reached
	manual  atomic.Bool        // SetAutoRegister(false)
	leftOut atomic.Uint64      // LeaveOut
}

// locate returns the calling goroutine's lane, which it makes if needed. It returns nil if the goroutine may not have a
// lane. The lane may be given up at any moment; then its slot's Lane is nil.
//
//go:norace
func locate() *Lane { return locateAt(0) }

// locateAt is locate for a caller that has just read the clock. now is 0 if it has not.
//
//go:norace
func locateAt(now platform.Ticks) *Lane { return laneAt(!finding.manual.Load(), now) }

// isLeftOut reports whether settings keep the calling goroutine without a lane.
//
//go:norace
func isLeftOut() bool {
	return finding.manual.Load() || platform.Goroutine() == finding.leftOut.Load()
}

// laneFor returns the calling goroutine's lane, as locate does. It makes a lane only if may is true.
//
//go:norace
func laneFor(may bool) *Lane { return laneAt(may, 0) }

// laneAt is laneFor. now is as for locateAt.
//
//go:norace
func laneAt(may bool, now platform.Ticks) *Lane {
	key, id := platform.Identity()
	may = may && id != finding.leftOut.Load()
	if platform.Epoch() == atomic.LoadUint32(&finding.epoch) {
		if l := laneOf(key); l != nil {
			slot := l.slot
			if atomic.LoadUint64(&slot.ID) == id {
				return l
			}
			if may { // the lane's goroutine has ended, and the calling one has its place
				if l.handTo(id, now) {
					unmeasured.crowd.leave(key, id)
					return l
				}
				l.detach(true)
			}
		} else if finding.sealed.Load() {
			return nil
		}
	}
	if !may {
		return nil
	}
	return claim(key, id)
}

// sealedLane is a short locate for the time while all lanes are in use. It returns the calling goroutine's lane, or the
// key and id of a goroutine that may have a lane but finds none, or neither if locate must look.
//
//go:norace
func sealedLane() (l *Lane, record, crowded uint64) {
	if finding.manual.Load() || platform.Epoch() != atomic.LoadUint32(&finding.epoch) {
		return nil, 0, 0
	}
	key, id := platform.Identity()
	l = laneOf(key)
	switch {
	case l == nil && id != finding.leftOut.Load():
		return nil, key, id
	case l != nil && atomic.LoadUint64(&l.slot.ID) == id:
		return l, 0, 0
	}
	return nil, 0, 0
}

// laneOf returns the lane in the slot of a goroutine's key, or nil. Collect may clear the slot's Lane meanwhile, so it
// is read once. A home slot's lane has the key, too. Reading it there saves a look at the owner of the slot.
//
//go:norace
func laneOf(key uint64) *Lane {
	if l := (*Lane)(platform.Home(key).Lane); l != nil && l.key == key {
		return l
	}
	if slot := finding.slots.Find(key); slot != nil {
		return (*Lane)(slot.Lane)
	}
	return nil
}

// handTo closes the scopes that an ended goroutine left open. It gives a lane without a name to goroutine id. now is as
// for locateAt: it saves a clock reading, a third of the time of a goroutine's start.
//
//go:norace
func (l *Lane) handTo(id uint64, now platform.Ticks) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	if now == 0 {
		now = platform.Now()
	}
	l.skipVacancy(now)
	l.closeAll(l.catchUp(now))
	if l.named || l.spawn != spawnOf(l.key, id) || budget.IsScarce() && len(l.base) > chunkSize {
		return false // memory is scarce, and a new lane takes less
	}
	l.slot.Serve(id)
	l.owner, l.thread, l.brief = id, lockedThread{}, true
	return true
}
