//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/sites"
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
		if l.parked {
			l.reportedAt = max(l.reportedAt, now) // keeps wake from leaving it out again
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
	return max(l.unraised(t), l.reportedAt)
}

// isNobodys reports whether the lane belongs to no goroutine: others are merged into it.
func (l *laneOwner) isNobodys() bool { return l.id == 0 || l.record }

// isRecord reports whether ended lanes are merged into the lane.
func (l *Lane) isRecord() bool { return l.record && l.proxied == nil }
