//go:build !iprof_off

package measure

import (
	"slices"
	"unsafe"

	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

// AppendEvents appends a lane's events with times from begin to end, both included, oldest first. It appends only
// events in memory: see SetEvents and EventsSince. Recently ended lanes still have events. A scope that was open at
// begin or at end may have only one of its two events in the result. Any goroutine may call it while the lane goes on;
// it leaves out events overwritten meanwhile. For an unknown lane it appends nothing.
func AppendEvents(dst []Event, lane LaneID, begin, end platform.Ticks) []Event {
	l := laneByID(lane)
	if l == nil {
		return appendEnded(dst, lane, begin, end)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pokeStale()
	if !l.log.Keeps() {
		return dst
	}
	return l.appendEvents(dst, begin, end)
}

// appendEnded appends the events of an ended lane, while they are in memory.
func appendEnded(dst []Event, lane LaneID, begin, end platform.Ticks) []Event {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if s, found := endedEvents.find(lane); found {
		return endedEvents.appendTo(dst, s, begin, end)
	}
	return dst
}

// saveEvents keeps the events of a lane before it is dropped. registry.mu is held.
func (l *Lane) saveEvents() {
	if !l.log.Keeps() || l.isNobodys() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	endedEvents.save(l.id, l.log.Since(), func(dst []Event) []Event {
		return l.appendEvents(dst, 0, platform.MaxTicks)
	})
}

// appendEvents appends the events of a stretch of time. It drops events before a gap: see EventsSince.
func (l *Lane) appendEvents(dst []Event, begin, end platform.Ticks) []Event {
	start, all := len(dst), l.seen
	for r := l.log.Read(begin, end); r.Next(l.log); {
		if r.Gap {
			dst = dst[:start]
		}
		at, events := len(dst), r.Events()
		dst = slices.Grow(dst, len(events))[:at+len(events)]
		for i, v := range events {
			s, e := &all[v.What>>1], &dst[at+i]
			e.Time, e.Zone, e.Node, e.Level, e.End = v.Time, s.zone, s.id, int32(s.level)-1, v.What&1 != 0
		}
	}
	return dst
}

// EventsSince returns the time since which all events of a lane are in memory, 0 if no event was overwritten. kept is
// false if the lane keeps no events. The time moves on as events are overwritten. Any goroutine may call it.
func EventsSince(lane LaneID) (since platform.Ticks, kept bool) {
	l := laneByID(lane)
	if l == nil {
		registry.mu.Lock()
		defer registry.mu.Unlock()
		ended, found := endedEvents.find(lane)
		return ended.since, found
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.log.Keeps() {
		return 0, false
	}
	return l.log.Since(), true
}

// Events returns the number of events that each lane keeps: the value of SetEvents, rounded up; 0: none. Any goroutine
// may call it.
func Events() int { return int(wanted.events.Load()) }

// OwnLane returns the number of the calling goroutine's lane, 0 without a lane.
//
//go:norace
func OwnLane() LaneID {
	l := laneFor(false)
	if l != nil {
		l.brief = false
	}
	return l.ID()
}

// laneByID returns the lane with the number, or nil.
func laneByID(id LaneID) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if at, found := registry.lanes.find(id); found {
		return registry.lanes[at]
	}
	return nil
}

// A lane with a log keeps its slot's Last above any time. Begin and End compare the time with Last anyway. The
// comparison fails, and they go on with Real, which has the latest time. So lanes without a log pay nothing. The What
// of an event is twice the node's index, plus 1 for an end.

// logs reports whether a log is the only reason why a Begin or End is not on the shortest path.
//
//go:norace
func logs(s *platform.Slot, t platform.Ticks) bool {
	g := (*eventlog.Log)(s.Log)
	return g != nil && t >= s.Real && g.Ready()
}

//go:norace
func logBegin(s *platform.Slot, n *node, t platform.Ticks) {
	(*eventlog.Log)(s.Log).Put(t, uint64(n.idx)<<1)
}

//go:norace
func logEnd(s *platform.Slot, n *node, t platform.Ticks) {
	(*eventlog.Log)(s.Log).Put(t, uint64(n.idx)<<1|1)
}

// logEvent writes an event on the slow path.
//
//go:norace
func (l *laneOptions) logEvent(n *node, t platform.Ticks, what uint64) {
	if l.log != nil {
		l.log.Put(t, uint64(n.idx)<<1|what)
	}
}

// setLog makes or drops the lane's log, which events and the counting of calls need. A lane that only counts calls has
// a log that keeps nothing. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) setLog() {
	size := int(wanted.events.Load())
	if l.isNobodys() {
		return
	}
	if size == 0 && l.counting > 0 {
		size = 1
	}
	if l.log.Size() == size {
		return
	}
	l.freeLog()
	if size > 0 {
		counts := make([]uint64, len(l.seen))
		for i := range counts {
			counts[i] = l.node(uint32(i)).count
		}
		if l.log = eventlog.New(size, counts); len(l.seen) == 1 { // the root only
			l.log.BeginWhole()
		}
	}
	l.slot.Log = unsafe.Pointer(l.log)
}

// freeLog drops the lane's log. The lane's mutex is held.
//
//go:norace
func (l *laneOptions) freeLog() {
	if l.log != nil {
		dropped.events.Add(l.log.Lost())
		l.log.Free()
		l.log = nil
	}
}
