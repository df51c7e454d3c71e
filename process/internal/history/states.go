package history

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// States has the states of lanes in the history, by their beginnings.
type States struct {
	List    []gather.LaneState
	longest platform.Ticks // length of the longest state
	Changes int
	phases  []int32 // indexes of the states of the collector
	OfLanes bool    // some belong to lanes; the machine's losses belong to the whole program
	Traced  bool    // some states of lanes come from an execution trace; package wait has only waits
}

// Take adds the states of a frame. late reports whether some are of earlier frames. gone is the beginning of a stop of
// the process, or 0.
func (l *States) Take(f *gather.Frame, told *LateStates) (late bool, gone platform.Ticks) {
	states, _ := told.rest(f, l)
	for i := range states {
		q := &states[i]
		l.add(q)
		late = late || q.End < f.Begin
		if q.Kind == gather.StateGone && (gone == 0 || q.Begin < gone) {
			gone = q.Begin
		}
	}
	l.settle()
	return late, gone
}

// add adds a state if it is valid.
func (l *States) add(q *gather.LaneState) {
	if q.End <= q.Begin || q.Begin < 0 {
		return
	}
	l.List = append(l.List, cloneState(q))
	l.longest = max(l.longest, q.End-q.Begin)
	if q.Lane != 0 {
		l.OfLanes, l.Traced = true, l.Traced || q.Kind != gather.StateWaiting
	}
}

// settle sorts the states, and forgets the oldest beyond the limit.
func (l *States) settle() {
	l.Changes++
	if !slices.IsSortedFunc(l.List, byBegin) {
		sort.Stable(statesByBegin(l.List))
	}
	if n := len(l.List) - report.MaxStates; n > 0 {
		l.List = slices.Delete(l.List, 0, n+report.MaxStates/8)
	}
	l.listPhases()
}

// statesByBegin sorts states. A generic sort would add 15 kB to each program.
type statesByBegin []gather.LaneState

func (s statesByBegin) Len() int           { return len(s) }
func (s statesByBegin) Less(i, k int) bool { return s[i].Begin < s[k].Begin }
func (s statesByBegin) Swap(i, k int)      { s[i], s[k] = s[k], s[i] }

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

// Each calls do with the states that overlap a stretch of time, by their beginnings. do must not keep them.
func (l *States) Each(begin, end platform.Ticks, do func(q *gather.LaneState)) {
	from := sort.Search(len(l.List), func(i int) bool { return l.List[i].Begin >= begin-min(l.longest, begin) })
	for i := from; i < len(l.List) && l.List[i].Begin < end; i++ {
		if q := &l.List[i]; q.End > begin {
			do(q)
		}
	}
}

// listPhases makes the list of the states that concern the collector.
func (l *States) listPhases() {
	l.phases = l.phases[:0]
	for i := range l.List {
		if k := l.List[i].Kind; k == gather.StateMarking || k == gather.StateAssist || k == gather.StateStopped {
			l.phases = append(l.phases, int32(i))
		}
	}
}

// Any reports whether there are states.
func (l *States) Any() bool { return len(l.List) > 0 }

// EachOfCollector calls do with the states that concern the collector and begin before a time.
func (l *States) EachOfCollector(before platform.Ticks, do func(q *gather.LaneState)) {
	for _, at := range l.phases {
		if l.List[at].Begin >= before {
			return
		}
		do(&l.List[at])
	}
}
