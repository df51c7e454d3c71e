//go:build !iprof_off

package measure

import (
	"slices"
	"unsafe"

	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

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
		counts := make([]uint64, len(l.base))
		for i := range counts {
			counts[i] = l.node(uint32(i)).count
		}
		if l.log = eventlog.New(size, counts); len(l.base) == 1 { // the root only
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

// appendEvents appends the events of a stretch of time. It drops events before a gap: see EventsSince.
func (l *Lane) appendEvents(dst []Event, begin, end platform.Ticks) []Event {
	start, all := len(dst), l.base
	for r := l.log.Read(begin, end); r.Next(l.log); {
		if r.Gap {
			dst = dst[:start]
		}
		at, events := len(dst), r.Events()
		dst = slices.Grow(dst, len(events))[:at+len(events)]
		for i, v := range events {
			s, e := &all[v.What>>1], &dst[at+i]
			e.Time = v.Time
			e.Zone = s.zone
			e.Node = s.id
			e.Level = int32(s.level) - 1
			e.End = v.What&1 != 0
		}
	}
	return dst
}
