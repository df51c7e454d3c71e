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

// spawnNames has the names of go statements.
var spawnNames sites.Names

// spawnOf returns the go statement of a goroutine, 0 for the main goroutine and where it is not known.
func spawnOf(key, goroutine uint64) uintptr {
	if goroutine == mainGoroutine {
		return 0
	}
	return platform.Spawn(key)
}

// ownName returns the name of a lane that has none of its own.
func (l *laneOwner) ownName() string {
	switch {
	case l.main:
		return "main goroutine"
	case l.record:
		return l.recordName()
	}
	return spawnNames.Lane(l.spawn, uint64(l.id))
}

// recordName returns the name of the record that the lane is merged into when it has ended, "" for none.
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

// skipVacancy leaves the time since the last goroutine's end out of the lane's life, for its heir. The mutex is held.
//
//go:norace
func (l *Lane) skipVacancy(now platform.Ticks) {
	if l.at() == l.root && l.root.acc < 0 && !l.frozen {
		storeTicks(&l.root.acc, l.root.acc-max(now-l.lastUsed(), 0))
		if l.asleep {
			l.read = max(l.read, now) // so that rouse does not leave it out again
		}
	}
}

// lastUsed returns when the lane's goroutine last entered or left a zone, but no time that was already reported.
//
//go:norace
func (l *Lane) lastUsed() platform.Ticks {
	t := l.lastRead()
	if t == platform.MaxTicks {
		return platform.Now()
	}
	return max(l.unraised(t), l.read)
}

// reap merges the lanes whose goroutines have ended, so that a program without Update does not collect them. The
// registry's mutex is held.
func reap() {
	registry.reapAt = max(leastReap, 2*len(registry.lanes)) // not sooner, as the crowd will be as large again
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

// forgetDropped takes dropped lanes out of the registry. Its mutex is held.
func forgetDropped() {
	dropped := func(l *Lane) bool { return l.ended && len(l.seen) == 0 }
	registry.lanes.removeAll(dropped)
	registry.awake.removeAll(dropped)
}

// leastReap is the number of lanes from which on a new lane may make reap search for ended ones. The new lanes of a
// program that has had more than fewLanes calibrate now and then, by a clock of about usualRate ticks per second.
const leastReap, fewLanes, usualRate = 64, 16, 1e9
