//go:build !iprof_off

package gather

import (
	"slices"
	"unsafe"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/platform"
)

// Most programs that name their lanes use few names, many times over. The first lane of a name to end becomes the
// name's record. Lanes of that name that end later are merged into the record at once, which frees their memory. A
// record that is not used for long is dropped.
//
// A crowd has a record, too. But the next goroutine of the crowd inherits a lane if it has the same place, because it
// probably needs the same nodes. The lanes that nobody inherits are merged: see reap.

const (
	mostRecords = 256  // records in the process
	mostMerged  = 4096 // nodes of a merged lane: goroutines at their first zone wait meanwhile
)

// merge adds an ended lane to its successor and frees it. Without a successor, the next Collect drops the lane. The
// registry's mutex is held. The caller is the lane's goroutine, or that has ended.
func (l *Lane) merge() {
	to := l.successor()
	if to == nil || to == l {
		return
	}
	to.absorb(l)
	l.drop()
	if at, found := placeOf(l.id); found {
		registry.lanes = slices.Delete(registry.lanes, at, at+1)
	}
	registry.endings--
	registry.sealed.Store(isFull())
}

// successor returns the lane that an ended lane is merged into, which may be itself. It returns nil if the next Collect
// is to drop the lane.
func (l *Lane) successor() *Lane {
	if !l.ended || l.governed != nil || l.holds || l.log.Keeps() || len(l.seen) > mostMerged {
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
	if to := registry.records[name]; to != nil {
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
	if registry.records == nil {
		registry.records = make(map[string]*Lane)
	}
	registry.records[l.name] = l
}

// isNobodys reports whether the lane belongs to no goroutine: others are merged into it.
func (l *Lane) isNobodys() bool { return l.id == 0 || l.record }

// isOld reports whether a record has not been used for long.
func (l *Lane) isOld(now platform.Ticks, rate float64, scarce bool) bool {
	return l.idle > 0 && scarce || l.idle >= idleFrames && float64(now-l.idleAt) >= idleSeconds*rate
}
