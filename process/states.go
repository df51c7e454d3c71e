package process

import (
	"fmt"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// MostStates is the number of states that a session keeps. The oldest are forgotten first.
const MostStates = 1 << 15

// laneStates are the states of lanes in the history, by their beginnings.
type laneStates struct {
	list    []gather.LaneState
	longest platform.Ticks // of list
	changes int
	phases  []int32 // indexes of the states of the collector
	traced  bool    // some are of an execution trace: package wait knows waits only
}

// AddStates gives the session what an execution trace knows of the time from begin to end. What it had of that time
// goes. The order of the states is of no matter; their memory is copied. MostStates are kept. Sinks, such as captures
// and viewers elsewhere, get the parts that no frame has brought with the next frames, some thousands with each. Any
// goroutine may call it. The module exectrace makes states.
func (s *Session) AddStates(begin, end platform.Ticks, list []gather.LaneState) {
	s.change()
	defer s.mu.Unlock()
	s.late.bring(&s.states, begin, end, list)
	s.restate()
}

// takeStates keeps the states of a frame.
func (s *Session) takeStates(f *gather.Frame) {
	if len(f.States) == 0 {
		return
	}
	late, gone := s.states.take(f, &s.late)
	if gone { // of the frame before, it may be
		s.causes.now.again(max(s.past.next, 2) - 2)
	}
	if late {
		s.restate()
	}
}

// takeLate keeps the states that a frame brings of the frames before it, in a paused session that takes no frame.
func (s *Session) takeLate(f *gather.Frame) {
	p := s.past.age(0)
	if p == nil || len(f.Zones) < len(s.zones) || s.hasOtherClock(f) {
		return
	}
	if s.states.takeBefore(f, p.to) {
		s.gen++
		s.restate()
	}
}

// restate makes what was said of the states of frames void, after states were added to frames of the history.
func (s *Session) restate() {
	s.timeline.epoch++
	s.causes.last.made = false
}

// take adds the states of a frame. late: some are of earlier frames. gone: the process was stopped.
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

// statesWarning is the warning about states that were dropped.
func (s *Session) statesWarning(n uint64) string {
	if r := &s.rows; r.statesOf != n {
		r.statesOf = n
		r.states = fmt.Sprintf("%d waits were dropped: a frame has at most %d", n, gather.MostStates)
	}
	return s.rows.states
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

// AppendStates appends the states that overlap the frame of an age, by their beginnings. Times are on the clock of
// package platform. Any goroutine may call it.
func (s *Session) AppendStates(dst []gather.LaneState, age int) []gather.LaneState {
	s.lock()
	defer s.mu.Unlock()
	if p := s.past.age(age); p != nil {
		s.states.each(p.from, p.to, func(q *gather.LaneState) { dst = append(dst, *q) })
	}
	return dst
}

// LaneGoroutine is a goroutine of a lane, and the time from the first to the last frame that mentions it.
type LaneGoroutine struct {
	Lane       LaneID
	Goroutine  uint64 // the runtime's number, above 0
	Begin, End platform.Ticks
}

// AppendGoroutines appends the goroutines of the lanes in the history, by lane and number. Any goroutine may call it.
func (s *Session) AppendGoroutines(dst []LaneGoroutine) []LaneGoroutine {
	s.lock()
	defer s.mu.Unlock()
	first := len(dst)
	type key struct {
		lane      LaneID
		goroutine uint64
	}
	known := map[key]int{}
	last := make([]int, len(s.lanes.list)) // by place: 1 + the index in dst of its goroutine, which seldom changes
	for seq := s.past.first(); seq < s.past.next; seq++ {
		p := s.past.at(seq)
		for i := range p.lanes {
			k := key{s.lanes.list[p.lanes[i].place].id, p.lanes[i].goroutine}
			if k.goroutine == 0 {
				continue
			}
			at := &last[p.lanes[i].place]
			if *at == 0 || dst[*at-1].Goroutine != k.goroutine {
				if known[k] == 0 {
					dst = append(dst, LaneGoroutine{k.lane, k.goroutine, p.from, p.to})
					known[k] = len(dst)
				}
				*at = known[k]
			}
			dst[*at-1].End = p.to
		}
	}
	slices.SortFunc(dst[first:], func(a, b LaneGoroutine) int {
		if a.Lane != b.Lane {
			return int(int64(a.Lane - b.Lane))
		}
		return int(int64(a.Goroutine - b.Goroutine))
	})
	return dst
}
