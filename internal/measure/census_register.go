//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// newLane makes a lane. Its root is open from now on. The registry's mutex is held.
//
//go:norace
func newLane(slot *platform.Slot, key, goroutine uint64) *Lane {
	wakeBeat()
	registry.lastLane++
	budget.Add(budget.Lanes, laneBytes)
	l := &Lane{laneStack: laneStack{slot: slot}, laneOwner: laneOwner{id: registry.lastLane, key: key,
		owner: goroutine, spawn: spawnOf(key, goroutine), main: goroutine == mainGoroutine}}
	l.fresh = true
	l.brief = true
	l.frozen = off != 0
	l.paused = registry.updates.paused
	now := platform.Now()
	l.plant(-now)
	l.reportedAt = now
	slot.Log = nil
	l.applySettings()
	l.rearm(now)
	if slot == platform.Home(key) {
		platform.HomeKey(key).Store(key)
	}
	slot.Serve(goroutine)
	return l
}

// Register names the calling goroutine's lane and returns it. It makes the lane if the goroutine has none. Names need
// not be unique; Register cuts a name longer than 1,024 bytes. Close the lane before the goroutine ends. Otherwise a
// later goroutine closes it, and inherits neither the name nor the open zones. To get LaneFrame.CPU, call
// runtime.LockOSThread before Register. Register returns nil beyond Limits.Lanes.
func Register(name string) *Lane {
	l := laneFor(true)
	if l == nil {
		return nil
	}
	if l.anonymousPast() { // earlier measurements may be another goroutine's, so they do not get the name
		l.detach(true)
	} else if l.rename(name) {
		return l
	}
	return Register(name)
}

// rename names the lane. It returns false if the lane was given up meanwhile.
func (l *Lane) rename(name string) bool {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.retired {
		return false
	}
	l.wake(platform.Now())
	l.name = sites.Keep(name)
	l.named = true
	l.fresh = true
	l.idle = 0
	l.thread.find()
	return true
}

// anonymousPast reports whether the lane has measurements from before it had a name.
//
//go:norace
func (l *Lane) anonymousPast() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.base) > 1 && !l.named && l.at() == l.root
}

// Close ends the lane and closes its open scopes. Its measurements since the last frame are still reported. The
// goroutine's next zone makes a new lane. Any goroutine may call it.
func (l *Lane) Close() {
	if l == nil || l.id == 0 { // not from Register
		return
	}
	l.detach(l.closeOwn())
}

// closeOwn closes all open scopes if the caller is the lane's goroutine, and reports whether it is.
//
//go:norace
func (l *Lane) closeOwn() bool {
	id := platform.Goroutine()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.slot.ID != id {
		return false
	}
	l.closeAll(l.catchUp(platform.Now()))
	return true
}
