//go:build !iprof_off

package gather

import (
	"slices"

	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/platform"
)

// A lane without a registered name is named by the go statement that made its goroutine. Lanes of one go statement are
// a crowd: a goroutine inherits only lanes of its own crowd, and ended lanes are merged into the crowd's record.

// mainGoroutine is the id of the goroutine that runs main.
const mainGoroutine = 1

// spawnNames holds the names of go statements.
var spawnNames sites.Names

// spawnOf returns the go statement of a goroutine, 0 for the main goroutine and if unknown.
func spawnOf(key, goroutine uint64) uintptr {
	if goroutine == mainGoroutine {
		return 0
	}
	return platform.Spawn(key)
}

// ownName returns the name of a lane without a registered name.
func (l *laneOwner) ownName() string {
	switch {
	case l.main:
		return "main goroutine"
	case l.record:
		return l.recordName()
	}
	return spawnNames.Lane(l.spawn, uint64(l.id))
}

// recordName returns the name of the record into which the lane is merged after its end, "" for none.
func (l *laneOwner) recordName() string {
	if l.named {
		return l.name
	}
	return spawnNames.Ended(l.spawn)
}

// isVacant reports whether the lane's goroutine has ended and left no scope open. No time passes on such a lane.
// Another goroutine of the crowd may inherit it. The mutex is held.
//
//go:norace
func (l *Lane) isVacant() bool {
	return !l.isNobodys() && !l.ended && !l.retired && l.at() == l.root && platform.Ended(l.key, l.slot.ID)
}

// skipVacancy excludes the time since the last goroutine's end from the lane's time, for its heir. The mutex is held.
//
//go:norace
func (l *Lane) skipVacancy(now platform.Ticks) {
	if l.at() == l.root && l.root.acc < 0 && !l.frozen {
		storeTicks(&l.root.acc, l.root.acc-max(now-l.lastUsed(), 0))
		if l.asleep {
			l.read = max(l.read, now) // keeps rouse from leaving it out again
		}
	}
}

// lastUsed returns the time at which the lane's goroutine last entered or left a zone, or the time of the last report
// if that is later.
//
//go:norace
func (l *Lane) lastUsed() platform.Ticks {
	t := l.lastRead()
	if t == platform.MaxTicks {
		return platform.Now()
	}
	return max(l.unraised(t), l.read)
}

// reap merges the lanes of ended goroutines. Without it they would pile up in a program without Update. The registry's
// mutex is held.
func reap() {
	registry.reapAt = max(leastReap, 2*len(registry.lanes)) // not sooner, because the crowd will grow as large again
	for _, l := range slices.Clone(registry.lanes) {
		if l.named || !l.markEnded(true) {
			continue
		}
		if to := l.successor(); to != nil && to != l {
			to.absorb(l)
			l.drop()
		} else {
			registry.endings++
		}
	}
	forgetDropped()
	registry.sealed.Store(isFull())
}

// forgetDropped removes dropped lanes from the registry. Its mutex is held.
func forgetDropped() {
	dropped := func(l *Lane) bool { return l.ended && len(l.seen) == 0 }
	registry.lanes.removeAll(dropped)
	registry.awake.removeAll(dropped)
}

// leastReap is the least number of lanes at which a new lane may start reap. The new lanes of a program that has had
// more than fewLanes calibrate now and then, by a clock of about usualRate ticks per second.
const leastReap, fewLanes, usualRate = 64, 16, 1e9
