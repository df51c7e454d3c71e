//go:build !iprof_off

package measure

import (
	"slices"

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
			l.read = max(l.read, now) // keeps wake from leaving it out again
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

// A brief goroutine starts and ends within a frame. A server may have thousands of them in a frame. The first few have
// their own lanes in the frame, for separate rows in small programs. The measurements of the others go to the record of
// their crowd, "main.serve server.go:42 (ended)". This is cheaper than lanes, also for the readers of the frame. No
// goroutine writes such a lane meanwhile: the next one that inherits it needs its mutex first.
//
// A lane with more than times and entries of zones has its own lane in the frame. So has a goroutine that has asked for
// the number of its lane, because a mark or a state may have this number.

// mostBrief is the number of brief goroutines of a frame that have their own lanes.
const mostBrief = 32

// briefs is the state of the present Collect. The registry's mutex guards it.
type briefs struct {
	merge  bool    // brief goroutines may share lanes
	number int     // brief goroutines so far
	record *Lane   // the last one that got measurements; its mutex is held
	to     []*node // of the record, by node of a lane
}

// begin begins a Collect. A running Peek, which has read some lanes, needs the others as they are. So does the
// governor.
func (b *briefs) begin(t turn) {
	b.number, b.merge = 0, t == noTurn && !registry.peek.active && OverheadLimit() == 0
}

// takeBrief gives the measurements of a brief goroutine to its crowd's record. It reports whether it did.
//
//go:norace
func (u *updates) takeBrief(l *Lane) (took bool) {
	if l.brief && u.briefs.merge {
		l.mu.Lock()
		took = l.isBrief() && u.merge(l)
		l.mu.Unlock()
	}
	return took
}

// isBrief reports whether the lane's goroutine is brief, and has only times and entries of zones. The mutex is held.
//
//go:norace
func (l *Lane) isBrief() bool {
	return l.brief && l.log == nil && l.governed == nil && l.counters == nil && l.counting == 0 && l.evictions == nil &&
		!l.holds && !l.mutes && !l.paused && !l.frozen && !l.metered && !l.named && l.settled.first == 0 &&
		len(l.late)+l.touched.number+len(l.credits) == 0 && !l.parking.Load() && l.isVacant()
}

// merge is takeBrief for the lane of a brief goroutine. Its mutex is held.
func (u *updates) merge(l *Lane) bool {
	b := &u.briefs
	if b.number++; b.number <= mostBrief {
		return false
	}
	if b.record == nil || b.record.spawn != l.spawn {
		b.turnTo(u.recordFor(l.spawn))
	}
	if b.record == nil || !b.match(l) {
		return false
	}
	b.take(l)
	return true
}

// turnTo makes another lane the record, or none.
func (b *briefs) turnTo(l *Lane) {
	if b.record != nil {
		b.record.mu.Unlock()
	}
	if b.record = l; l != nil {
		l.mu.Lock()
		l.applySettings()
	}
}

// match finds the record's nodes for a lane. It returns false if the lane has more than times and entries, or if the
// record is full.
//
//go:norace
func (b *briefs) match(l *Lane) bool {
	b.to = append(b.to[:0], b.record.root)
	for i := uint32(1); i < uint32(len(l.seen)); i++ {
		n := l.node(i)
		under := b.to[n.parent.idx]
		to := b.record.find(under, n.key)
		if to == nil {
			to = b.record.partner(under, n.key, l.seen[i].zone)
		}
		if to == under || to.flag&flagFolded != 0 || n.extra.Load() != nil {
			return false
		}
		b.to = append(b.to, to)
	}
	return l.root.extra.Load() == nil
}

// take moves the lane's measurements to the record's nodes.
//
//go:norace
func (b *briefs) take(l *Lane) {
	now := l.lastUsed()
	for i, to := range b.to {
		n, s := l.node(uint32(i)), &l.seen[i]
		hier, count := n.acc, n.count
		if i == 0 {
			hier += now
		}
		if took := hier - s.hier; took > 0 {
			storeTicks(&to.acc, to.acc+took)
			s.hier = hier
		}
		to.count += count - s.count
		s.count = count
		s.setOpen(false)
	}
	b.record.slowTime.Add(l.slowTime.Since(true))
	l.brief, l.fresh, l.idle, l.quiet, l.idleAt, l.read = false, false, 0, 0, now, now
}
