package timeline

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Stretch is a state of a lane on the axis of a timeline.
type Stretch struct {
	Interval
	gather.LaneState
}

// fillStates gives the bands the states of the frames from..to, which are in sight.
func (t *Timeline) fillStates(src *Reader, states *history.States, from, to uint64) {
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
			at, found := slices.BinarySearchFunc(t.Bands, q.Lane, func(b Band, id report.LaneID) int {
				return int(int64(b.ID - id))
			})
			if !found {
				return
			}
			into = &t.Bands[at].States
		}
		begin, end := src.axis(from, to, q.Begin), src.axis(from, to, q.End)
		*into = append(*into, Stretch{Interval{begin, end}, *q})
	})
	for i := range t.Bands {
		t.scratch.states[i] = t.Bands[i].States
	}
}

// axis returns the place of a time on the axis of timelines. The frames from..to are in sight.
func (r *Reader) axis(from, to uint64, t platform.Ticks) float64 {
	n := sort.Search(int(to-from), func(i int) bool { return r.frameOfSeq(from+1+uint64(i)).From > t })
	p := r.frameOfSeq(from + uint64(n))
	return p.At + float64(t-p.From)*p.PerTick
}

// statesIn calls do with the states of a lane and of the whole program that overlap a stretch of time on the axis, and
// with the overlap.
func (t *Timeline) statesIn(lane report.LaneID, begin, end float64, do func(q *Stretch, ms float64)) {
	in := func(list []Stretch) {
		for i := range list {
			q := &list[i]
			if ms := min(q.Interval.End, end) - max(q.Interval.Begin, begin); ms > 0 {
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
// stretches of the same kind and reason, with the longest of them. It returns nil if there is no such state.
func (t *Timeline) LongestState(lane report.LaneID, begin, end float64) (longest *Stretch, ms float64) {
	type sum struct {
		longest  *Stretch
		most, ms float64
	}
	var sums []sum
	t.statesIn(lane, begin, end, func(q *Stretch, ms float64) {
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

// Title returns words for a state: "waiting for mutex".
func (q *Stretch) Title() string {
	if q.Kind == gather.StateWaiting && q.Reason != "" {
		return "waiting for " + q.Reason
	}
	return q.Kind.String()
}

// Ended returns words about the end of a wait, with the lane or the function, and the line: "ended by loader at
// world.go:88", or for a lock "released by loader at world.go:88". It returns "" if that is not known.
func (t *Timeline) Ended(q *Stretch) string {
	by := q.By
	for i := range t.Bands {
		if b := &t.Bands[i]; b.ID == q.Waker && q.Waker != 0 {
			by = b.Name
		}
	}
	switch {
	case by == "" && q.At == "":
		return ""
	case by != "" && q.At != "":
		by += " at " + q.At
	case by == "":
		by = q.At
	}
	return report.EndedWord(q.Reason) + " by " + by
}

// Why returns the state other than running that a lane was in for most of a stretch of time on the axis, "3.1 of 4.0 ms
// waiting for mutex", and the words of Ended. Both are "" if the state is not known, or took less than 1 %.
func (t *Timeline) Why(lane report.LaneID, begin, end float64) (what, by string) {
	q, ms := t.LongestState(lane, begin, end)
	if q == nil || ms < 0.01*(end-begin) {
		return "", ""
	}
	what = report.PartOf(ms, end-begin, t.tick) + " " + q.Title()
	return what, t.Ended(q)
}

// EndedWait returns a lane's longest wait in a stretch of time that another lane ended, or nil.
func (t *Timeline) EndedWait(lane report.LaneID, begin, end float64) (longest *Stretch) {
	most := 0.0
	t.statesIn(lane, begin, end, func(q *Stretch, ms float64) {
		if q.Kind == gather.StateWaiting && q.Waker != 0 && ms > most && q.Interval.End <= end {
			longest, most = q, ms
		}
	})
	return longest
}

// LongestScope returns the longest scope of a zone in the frames shown: its lane, and its ends on the axis. ok is false
// if there is no such scope.
func (t *Timeline) LongestScope(zone report.ZoneID) (lane report.LaneID, begin, end float64, ok bool) {
	for i := range t.Rows {
		r := &t.Rows[i]
		to := r.Beginning(t.Origin + t.Length)
		for at := r.Ending(t.Origin); at < to; at++ {
			if s := r.At[at]; r.Zone(at) == zone && s.End-s.Begin > end-begin {
				lane = r.Lane
				begin = s.Begin
				end = s.End
				ok = true
			}
		}
	}
	return lane, begin, end, ok
}
