package importer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/measure"
)

// step is the begin or the end of a slice.
type step struct {
	at    int64
	zone  gather.ZoneID
	calls uint32
	end   bool
}

// track is the state of a lane while its slices are read: the open slices, and the time of the latest step.
type track struct {
	*lane
	open []slice
	at   int64
}

// mostTracks bounds the lanes beside a lane.
const mostTracks = 100

// slight is the greatest length, in nanoseconds, by which a slice is cut if it overlaps another. It is the rounding
// error of microseconds.
const slight = 1000

// order makes the steps of a lane's slices. It returns lanes beside it, for slices that overlap others.
func (t *Trace) order(l *lane) (beside []*lane) {
	inOrder := func(a, b slice) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end)) }
	if !slices.IsSortedFunc(l.slices, inOrder) {
		sort.SliceStable(l.slices, func(i, k int) bool { return inOrder(l.slices[i], l.slices[k]) < 0 })
	}
	l.steps = make([]step, 0, 2*len(l.slices))
	depth := t.depth()
	tracks := []*track{{lane: l, at: t.begin}}
	for _, s := range l.slices {
		if s.zone == 0 { // in our own files, the time outside zones is a slice
			continue
		}
		on := t.trackFor(tracks, &s)
		if on == nil {
			next := &lane{name: fmt.Sprintf("%s, beside", l.name), process: l.process, number: l.number}
			if len(tracks) > 1 {
				next.name += fmt.Sprintf(" %d", len(tracks))
			}
			t.hold(laneSize + len(next.name))
			on = &track{lane: next, at: t.begin}
			tracks, beside = append(tracks, on), append(beside, next)
		}
		if on.lane != l {
			t.changed.add(changedBeside, 1)
		}
		if len(on.open) >= depth {
			t.leave(leftDeep, 1)
			continue
		}
		s.begin = max(s.begin, on.at)
		on.at = s.begin
		on.steps = append(on.steps, step{s.begin, s.zone, s.calls, false})
		on.open = append(on.open, s)
	}
	for _, on := range tracks {
		on.close(t.end)
	}
	l.slices = nil
	return beside
}

// depth returns the greatest depth of nested slices. By default it is the depth of zones in our own lanes. The usual
// limit of a budget is meant for exports, which write stacks repeatedly.
func (t *Trace) depth() int {
	if depth := t.account.Depth(); depth != budget.Usual.Depth {
		return min(depth, math.MaxInt32)
	}
	return measure.DefaultDepth
}

// close closes the slices that end by a time.
func (r *track) close(until int64) {
	for n := len(r.open); n > 0 && r.open[n-1].end <= until; n-- {
		r.at = max(r.open[n-1].end, r.at)
		r.steps = append(r.steps, step{at: r.at, zone: r.open[n-1].zone, end: true})
		r.open = r.open[:n-1]
	}
}

// trackFor returns the track for a slice: the track on which the innermost slice around it began last; else one on
// which it is cut slightly; else one without open slices; else nil, for a new track. If there are too many tracks, the
// slice is cut.
func (t *Trace) trackFor(tracks []*track, s *slice) *track {
	var best, free *track
	for _, r := range tracks {
		r.close(s.begin)
		n := len(r.open)
		if n == 0 {
			free = cmp.Or(free, r)
		} else if r.open[n-1].end >= s.end && (best == nil || r.open[n-1].begin > best.open[len(best.open)-1].begin) {
			best = r
		}
	}
	if best != nil {
		return best
	}
	for _, r := range tracks {
		if begin, ok := r.cutAt(s); ok {
			s.begin = begin
			r.close(begin)
			t.Cut++
			t.changed.add(changedCut, 1)
			return r
		}
	}
	if free == nil && len(tracks) > mostTracks {
		s.end = tracks[0].open[len(tracks[0].open)-1].end
		t.Cut++
		t.changed.add(changedTracks, 1)
		return tracks[0]
	}
	return free
}

// cutAt returns the begin of a slice after the slices that it overlaps slightly, and false if it overlaps one by more.
// Slightly means at most a tenth of each, or 2 ns of rounding.
func (r *track) cutAt(s *slice) (begin int64, ok bool) {
	begin = s.begin
	for n := len(r.open); n > 0 && r.open[n-1].end < s.end; n-- {
		begin = max(begin, r.open[n-1].end)
		ok = true
		overlap := r.open[n-1].end - s.begin
		if least := min(s.end-s.begin, r.open[n-1].end-r.open[n-1].begin); overlap > slight ||
			overlap > 2 && overlap*10 > least {
			return 0, false
		}
	}
	return begin, ok
}
