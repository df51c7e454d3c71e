package process

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
)

// TimelineStretch is a state of a lane on the axis of a timeline.
type TimelineStretch struct {
	TimelineSpan
	gather.LaneState
}

// fillStates gives the bands the states in sight: of the frames from..to.
func (t *Timeline) fillStates(src *reader, states *history.States, from, to uint64) {
	t.Whole = t.Whole[:0]
	for len(t.scratch.states) < len(t.Bands) && len(states.List) > 0 {
		t.scratch.states = append(t.scratch.states, nil)
	}
	for i := range t.Bands {
		if t.Bands[i].States = nil; i < len(t.scratch.states) {
			t.Bands[i].States = t.scratch.states[i][:0]
		}
	}
	if len(states.List) == 0 {
		return
	}
	first, last := src.frameOfSeq(from), src.frameOfSeq(to)
	states.Each(first.From, last.To, func(q *gather.LaneState) {
		into := &t.Whole
		if q.Lane != 0 {
			at, found := slices.BinarySearchFunc(t.Bands, q.Lane, func(b TimelineBand, id LaneID) int {
				return int(int64(b.ID - id))
			})
			if !found {
				return
			}
			into = &t.Bands[at].States
		}
		begin, end := src.axis(from, to, q.Begin), src.axis(from, to, q.End)
		*into = append(*into, TimelineStretch{TimelineSpan{begin, end}, *q})
	})
	for i := range t.Bands {
		t.scratch.states[i] = t.Bands[i].States
	}
}

// axis returns the place of a time on the axis of timelines. The frames from..to are in sight.
func (r *reader) axis(from, to uint64, t platform.Ticks) float64 {
	n := sort.Search(int(to-from), func(i int) bool { return r.frameOfSeq(from+1+uint64(i)).From > t })
	p := r.frameOfSeq(from + uint64(n))
	return p.At + float64(t-p.From)*p.PerTick
}

// StatesIn calls do with the states of a lane, and of the whole program, that overlap a stretch of time on the axis,
// and with the time that they have in common.
func (t *Timeline) StatesIn(lane LaneID, begin, end float64, do func(q *TimelineStretch, ms float64)) {
	in := func(list []TimelineStretch) {
		for i := range list {
			q := &list[i]
			if ms := min(q.TimelineSpan.End, end) - max(q.TimelineSpan.Begin, begin); ms > 0 {
				do(q, ms)
			}
		}
	}
	for i := range t.Bands {
		if t.Bands[i].ID == lane {
			in(t.Bands[i].States)
		}
	}
	in(t.Whole)
}

// LongestState returns the state, other than running, with most of a stretch of time on the axis: the sum of all its
// stretches of the same kind and reason, with the longest of them. It is nil if there is none.
func (t *Timeline) LongestState(lane LaneID, begin, end float64) (longest *TimelineStretch, ms float64) {
	type sum struct {
		longest  *TimelineStretch
		most, ms float64
	}
	var sums []sum
	t.StatesIn(lane, begin, end, func(q *TimelineStretch, ms float64) {
		if q.Kind == gather.StateRunning {
			return
		}
		at := slices.IndexFunc(sums, func(s sum) bool {
			return s.longest.Kind == q.Kind && s.longest.Reason == q.Reason
		})
		if at < 0 {
			at = len(sums)
			sums = append(sums, sum{})
		}
		s := &sums[at]
		s.ms += ms
		if ms > s.most {
			s.longest, s.most = q, ms
		}
	})
	for i := range sums {
		if sums[i].ms > ms {
			longest, ms = sums[i].longest, sums[i].ms
		}
	}
	return longest, ms
}
