package process

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// laneStates are the states of lanes in the history, by their beginnings.
type laneStates struct {
	list    []gather.LaneState
	longest platform.Ticks // of list
	changes int
	phases  []int32 // indexes of the states of the collector
	traced  bool    // some are of an execution trace: package wait knows waits only
}

// take adds the states of a frame. It reports whether some are of earlier frames, and whether the process was stopped.
func (l *laneStates) take(f *gather.Frame, told *lateStates) (late, gone bool) {
	states, _ := told.rest(f, l)
	for i := range states {
		q := &states[i]
		l.add(q)
		late = late || q.End < f.Begin
		gone = gone || q.Kind == gather.StateGone
	}
	l.settle()
	return late, gone
}

// add adds a state that makes sense.
func (l *laneStates) add(q *gather.LaneState) {
	if q.End <= q.Begin || q.Begin < 0 {
		return
	}
	l.list = append(l.list, cloneState(q))
	l.longest = max(l.longest, q.End-q.Begin)
	l.traced = l.traced || q.Kind != gather.StateWaiting
}

// settle sorts the states, and forgets the oldest beyond the limit.
func (l *laneStates) settle() {
	l.changes++
	if !slices.IsSortedFunc(l.list, byBegin) {
		slices.SortStableFunc(l.list, byBegin)
	}
	if n := len(l.list) - MostStates; n > 0 {
		l.list = slices.Delete(l.list, 0, n+MostStates/8)
	}
	l.listPhases()
}

func byBegin(a, b gather.LaneState) int { return compareTicks(a.Begin, b.Begin) }

func compareTicks(a, b platform.Ticks) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// each calls do with the states that overlap a stretch of time, by their beginnings. do must not keep them.
func (l *laneStates) each(begin, end platform.Ticks, do func(q *gather.LaneState)) {
	from := sort.Search(len(l.list), func(i int) bool { return l.list[i].Begin >= begin-min(l.longest, begin) })
	for i := from; i < len(l.list) && l.list[i].Begin < end; i++ {
		if q := &l.list[i]; q.End > begin {
			do(q)
		}
	}
}

// LaneGoroutine is a goroutine of a lane, and the time from the first to the last frame that mentions it.
type LaneGoroutine struct {
	Lane       LaneID
	Goroutine  uint64 // the runtime's number, above 0
	Begin, End platform.Ticks
}

// listPhases makes the list of the states that concern the collector.
func (l *laneStates) listPhases() {
	l.phases = l.phases[:0]
	for i := range l.list {
		if k := l.list[i].Kind; k == gather.StateMarking || k == gather.StateAssist || k == gather.StateStopped {
			l.phases = append(l.phases, int32(i))
		}
	}
}

// any reports whether there are states.
func (l *laneStates) any() bool { return len(l.list) > 0 }

// eachOfCollector calls do with the states that concern the collector and begin before a time.
func (l *laneStates) eachOfCollector(before platform.Ticks, do func(q *gather.LaneState)) {
	for _, at := range l.phases {
		if l.list[at].Begin >= before {
			return
		}
		do(&l.list[at])
	}
}
