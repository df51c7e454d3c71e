//go:build !iprof_off

package measure

import (
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

// LogTypes returns values of the types whose memory holds events. A trace of allocations leaves these out.
func LogTypes() []any { return []any{eventlog.Log{}, eventlog.Event{}} }
