//go:build !iprof_off

package measure

import (
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// Lanes that have ended are kept until the next Collect. A program may never call Update, and then no Collect comes. So
// too many ended lanes are merged into one lane, "(earlier goroutines)", which belongs to no goroutine. That lane also
// keeps the calls of SetPerCall.

// earlierName is also package process's name for lanes that it has merged.
const earlierName = "(earlier goroutines)"

// earlierLane returns the lane "(earlier goroutines)", which it makes on first use. The registry's mutex is held.
func earlierLane() *Lane {
	if len(registry.lanes) > 0 && registry.lanes[0].id == 0 {
		return registry.lanes[0]
	}
	l := bare(0, earlierName)
	l.named = true
	registry.lanes = append(laneList{l}, registry.lanes...)
	registry.awake = append(laneList{l}, registry.awake...)
	return l
}

// leastEndings returns the least number of ended lanes worth a merge.
func leastEndings() int { return max(limits().Lanes/16, 1) }

// makeRoom merges and drops ended lanes. The registry's mutex is held.
func makeRoom() {
	if registry.endings < leastEndings() {
		return
	}
	earlier := earlierLane()
	for _, l := range registry.lanes {
		if l.ended && !l.record && l.governed == nil && !l.holds { // only Collect can read others
			earlier.absorb(l)
			l.drop()
		}
	}
	forgetDropped()
	registry.endings = 0
}

// absorb adds the unreported measurements of an ended lane. The registry's mutex is held.
//
//go:norace
func (l *Lane) absorb(from *Lane) {
	hooks.merge(from)
	hooks.merge(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	from.mu.Lock()
	defer from.mu.Unlock()
	l.unsettleAll()
	from.unsettleAll()
	l.applySettings()
	l.slowTime.Add(from.slowTime.Since(true))
	t := max(platform.Now(), from.reportedAt)
	to, entered := make([]*node, len(from.base)), make([]bool, len(from.base))
	to[0], entered[0] = l.root, true // the reader always visits the root
	from.root.extra.Load().giveTo(l.root)
	for i := from.after(0, 0, true); i != 0; i = from.after(i, 0, true) {
		n, s := from.node(i), &from.base[i]
		under := to[n.parent.idx]
		if to[i] = under; under.flag&flagFolded == 0 {
			to[i] = l.partner(under, n.key, s.zone)
		}
		took, begun := from.unreported(n, t)
		took = max(took, 0)        // it may be a few ticks below 0: see short
		if n.parent == from.root { // the root's time grows with its children's, as no goroutine's time passes on it
			l.give(l.root, took, 0)
		}
		switch {
		case to[i] != under:
			l.give(to[i], took, begun)
		case under.flag&flagFolded != 0: // its time is already in the folded node's
			l.give(under, 0, begun)
			fallthrough
		default:
			dropped.nodes.Add(begun)
		}
		entered[i] = begun > 0
		if charged := n.extra.Load().giveTo(to[i]); charged && begun == 0 || begun > 0 && !entered[n.parent.idx] {
			l.mustVisit(to[i]) // the reader passes over nodes without an entry and time, and over all below them
		}
	}
	from.counters.GiveTo(&counterTable)
}

// giveTo moves the sums and calls of a node of an ended lane to the node that replaces it. It reports whether there
// were sums.
func (x *extra) giveTo(n *node) (any bool) {
	if any = x.transfer(n); x != nil && x.calls != nil {
		x.calls.MoveTo(n.more().calls, x.calls.Sum())
	}
	return any
}

// Most programs that name their lanes use few names, many times over. The first lane of a name to end becomes the
// name's record. Lanes of that name that end later are merged into the record at once, which frees their memory. An
// unused record is dropped after a while.
//
// A crowd has a record, too. But the next goroutine of the crowd inherits a lane if it has the same place, because it
// probably needs the same nodes. Lanes without an heir are merged: see reap.

const (
	mostRecords = 256  // records in the process
	mostMerged  = 4096 // nodes of a merged lane: goroutines at their first zone wait for the merge
)

// merge adds an ended lane to its successor and frees it. Without a successor, the next Collect drops the lane. The
// registry's mutex is held. The caller is the lane's goroutine, or the lane's goroutine has ended.
func (l *Lane) merge() {
	to := l.successor()
	if to == nil || to == l {
		return
	}
	to.absorb(l)
	l.drop()
	registry.lanes.remove(l)
	registry.awake.remove(l)
	registry.endings--
	seal(isFull())
}

// successor returns the lane that an ended lane is merged into. It may be the lane itself. It is nil if the next
// Collect should drop the lane.
func (l *Lane) successor() *Lane {
	if !l.ended || l.governed != nil || l.holds || l.log.Keeps() || len(l.base) > mostMerged {
		return nil
	}
	name := l.recordName()
	if !l.named && l.counting > 0 { // Collect keeps the calls
		return nil
	}
	if name == "" {
		if budget.IsScarce() {
			return earlierLane()
		}
		return nil
	}
	if to := recordOf(name); to != nil {
		return to
	}
	if len(registry.records) < min(mostRecords, limits().Lanes/4) {
		l.becomeRecord()
		return l
	}
	if registry.endings < mostRecords {
		return nil
	}
	return earlierLane()
}

// becomeRecord makes an ended lane the record of its name.
//
//go:norace
func (l *Lane) becomeRecord() {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.lastUsed()
	l.slot = &platform.Slot{Cur: unsafe.Pointer(&nowhere)} // the goroutine's next lane gets the old slot
	l.name = l.recordName()
	l.record, l.hidden, l.cur = true, true, l.root
	l.freeLog()
	if l.root.acc < 0 {
		storeTicks(&l.root.acc, max(l.root.acc+t, 0))
	}
	registry.records = append(registry.records, l)
}

// recordOf returns the record of a name, or nil. The registry's mutex is held.
func recordOf(name string) *Lane {
	for _, l := range registry.records {
		if l.name == name {
			return l
		}
	}
	return nil
}

// recordFor returns the record of a go statement, or nil if there is no room for another.
func (u *updates) recordFor(spawn uintptr) *Lane {
	for _, l := range registry.records {
		if l.spawn == spawn && !l.named {
			return l
		}
	}
	name := spawnNames.Ended(spawn)
	if name == "" || len(registry.records) >= min(mostRecords, limits().Lanes/4) || isFull() {
		return nil
	}
	l := u.nobodys(spawn, name)
	registry.records = append(registry.records, l)
	return l
}

// nobodys makes a lane without a goroutine for measurements of others.
func (u *updates) nobodys(spawn uintptr, name string) *Lane {
	registry.lastLane++
	l := bare(registry.lastLane, name)
	l.spawn, l.record, l.ended = spawn, true, true
	l.slot.Lane = nil
	l.reportedAt = u.reportEnd
	registry.lanes, registry.awake = append(registry.lanes, l), append(registry.awake, l)
	return l
}

// bare makes a lane without a goroutine.
func bare(id LaneID, name string) *Lane {
	budget.Add(budget.Lanes, laneBytes)
	l := new(Lane)
	l.slot = new(platform.Slot)
	l.id = id
	l.name = name
	l.hidden = true
	l.frozen, l.paused, l.generation = off != 0, registry.updates.paused, wanted.generation.Load()
	l.plant(0)
	return l
}

// forgetRecord is called when a record is dropped. The registry's mutex is held.
func forgetRecord(l *Lane) {
	for i, r := range registry.records {
		if last := len(registry.records) - 1; r == l {
			registry.records[i], registry.records[last] = registry.records[last], nil
			registry.records = registry.records[:last]
			return
		}
	}
}

// isOld reports whether a record has been unused for long.
func (l *laneReport) isOld(now platform.Ticks, rate float64, scarce bool) bool {
	return l.idle > 0 && scarce || l.idle >= idleFrames && float64(now-l.idleAt) >= idleSeconds*rate
}

// Unused lanes are given up in two steps, each after this many frames and seconds. First a lane is retired: no
// goroutine can find it. Then it is dropped. These are variables for tests.
var (
	idleFrames  = int32(600)
	idleSeconds = 10.0
)

// vacantFrames is the number of frames for which a lane without a goroutine waits for the next goroutine of its crowd.
const vacantFrames = 60

// scarceHaste is the factor by which unused lanes are given up sooner when memory is scarce.
const scarceHaste = 10

// dropEnded drops ended lanes, and gives up long unused ones.
func (u *updates) dropEnded(now platform.Ticks, rate float64) {
	kept, scarce := registry.awake[:0], budget.IsScarce()
	retired, gone := u.lookAtParked(now, rate, scarce), u.lanes
	var counted []*Lane
	for _, l := range registry.awake {
		switch {
		case l.parked:
			continue
		case l.record && (l.proxied.any(0) || !l.isOld(now, rate, scarce)):
		case l.ended, l.retired && l.isUnused(now, rate, scarce):
			if l.record {
				forgetRecord(l)
				u.forgetProxy(l)
			}
			l.saveEvents()
			gone = append(gone, l)
			if l.counting > 0 {
				counted = append(counted, l)
				continue
			}
			l.drop()
			continue
		case l.idle >= vacantFrames && !l.named && l.markEnded(true): // it may have run since its report
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
		finding.slots.Clean()
	}
	seal(isFull())
}

// isUnused reports whether the lane may be given up. A lane in a home slot stays, because any goroutine with the same
// place may inherit it. When memory is scarce, such lanes go, too, and all lanes go sooner.
func (l *Lane) isUnused(now platform.Ticks, rate float64, scarce bool) bool {
	if scarce {
		return l.idle >= idleFrames/scarceHaste && float64(now-l.idleAt) >= idleSeconds/scarceHaste*rate
	}
	return l.idle >= idleFrames && float64(now-l.idleAt) >= idleSeconds*rate && platform.Home(l.key) != l.slot
}

// retire hides the lane from its goroutine. The goroutine may be inside a Begin, so the reader reads the lane for a
// while longer.
func (l *Lane) retire(now platform.Ticks) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retired, l.idle, l.idleAt = true, 0, now
	l.leaveSlot()
}
