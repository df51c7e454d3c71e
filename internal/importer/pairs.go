package importer

import (
	"math"
	"slices"
	"sort"
	"time"

	"example.com/iprof/gather"
)

// half is the begin or the end of a slice.
type half struct {
	at    int64
	zone  gather.ZoneID // noZone: an end without a name
	calls uint32
	end   bool
}

const noZone = gather.ZoneID(1<<31 - 1)

// pair makes slices from begins and ends, by their times; equal times keep the order of the file. An end closes the
// innermost slice of its name, and the slices inside it. If an inner slice has a later end of its own, it lasts until
// then, and overlaps. pair returns the indexes of slices without an end.
func (t *Trace) pair(l *lane) (open []int) {
	sort.SliceStable(l.halves, func(i, k int) bool { return l.halves[i].at < l.halves[k].at })
	var late []int // slices that were closed with an outer slice
	for _, h := range l.halves {
		if !h.end {
			open = append(open, len(l.slices)) // before the inner slices, if both take the same time
			t.slice(l, slice{h.at, h.at, h.zone, h.calls})
			continue
		}
		n := len(open) - 1
		for h.zone != noZone && n >= 0 && l.slices[open[n]].zone != h.zone {
			n--
		}
		k := len(late) - 1
		for n < 0 && k >= 0 && l.slices[late[k]].zone != h.zone {
			k--
		}
		switch {
		case n >= 0:
			for _, at := range open[n:] {
				l.slices[at].end = h.at
			}
			late = append(late, open[n+1:]...)
			late = late[max(len(late)-mostLate, 0):]
			t.changed.add(changedOpen, len(open)-1-n)
			open = open[:n]
		case k >= 0:
			l.slices[late[k]].end = h.at
			late = slices.Delete(late, k, k+1)
			t.changed.add(changedOpen, -1)
		default:
			t.leave(leftEnds, 1)
			continue
		}
		t.begin, t.end = min(t.begin, h.at), max(t.end, h.at)
	}
	t.hold(-halfSize * len(l.halves))
	l.halves = nil
	return open
}

// mostLate bounds the slices whose own end may come later.
const mostLate = 100

// pairAll makes slices from all begins and ends. A file without ends has no lengths.
func (t *Trace) pairAll() {
	if t.paired {
		return
	}
	t.paired = true
	open, begins := make([][]int, len(t.lanes)), 0
	for i, l := range t.lanes {
		if len(l.halves) > 0 {
			open[i] = t.pair(l)
			begins += len(open[i])
		}
	}
	if t.doubtful {
		t.leaveEarly(open)
		t.leaveStrays()
		t.leaveLate()
	}
	t.takeNear()
	for i, l := range t.lanes {
		for _, at := range open[i] {
			if s := &l.slices[at]; s.zone != noZone {
				s.end = max(t.end, s.begin)
			}
		}
	}
	t.dropStrays()
	if begins < t.slices {
		t.changed.add(changedOpen, begins)
		return
	}
	t.leave(leftBegins, begins)
	for _, l := range t.lanes {
		l.slices = nil
	}
	t.slices = 0
}

// takeNear extends the time to marks and values near the slices, at most by the length of the slices, or by a second.
func (t *Trace) takeNear() {
	if t.slices == 0 || !t.doubtful {
		return
	}
	near := max(t.end-t.begin, int64(time.Second))
	from, to := t.begin-near, t.end+near
	if t.recording.started {
		from = max(from, t.recording.start)
	}
	take := func(at int64) {
		if at >= from && at <= to {
			t.begin, t.end = min(t.begin, at), max(t.end, at)
		}
	}
	for i := range t.marks {
		take(t.marks[i].at)
	}
	for i := range t.values {
		take(t.values[i].at)
	}
}

// A stray is far from the other slices: by ten times their whole length, and by more than a month. For a slice at time
// 0 an hour is enough, because it probably has no time.
const (
	strayAtZero = int64(3600e9)
	strayTime   = 30 * 24 * strayAtZero
	strayTimes  = 10
)

// leaveStrays leaves out the few slices that are far before or after all others, or far longer than all others
// together. They become slices of noZone.
func (t *Trace) leaveStrays() {
	if t.end-t.begin <= strayAtZero {
		return
	}
	all := t.byBegin()
	few := max(len(all)/1000, 1)
	all = t.leaveLong(all, few)
	until := make([]int64, len(all)+1) // the latest end before a slice
	until[0] = all[0].begin
	for i, s := range all {
		until[i+1] = max(until[i], s.end)
	}
	first, last := t.strayEnds(all, until, few)
	t.begin, t.end = all[first].begin, max(until[last], all[first].end)
	for i, s := range all {
		if i < first || i >= last {
			t.leaveStray(s)
		}
	}
}

// strayEnds returns the first slice that is not a stray, and the first stray after the others.
func (t *Trace) strayEnds(all []*slice, until []int64, few int) (first, last int) {
	last = len(all)
	for i := 1; i <= few && len(all)-i > 2*i; i++ {
		least := strayTime
		if t.base == 0 && until[i] < 1e9 {
			least = strayAtZero
		}
		if isFar(all[i].begin-until[i], until[len(all)]-all[i].begin, least) {
			first = i
		}
	}
	for i := len(all) - 1; len(all)-i <= few && i-first > 2*(len(all)-i); i-- {
		if isFar(all[i].begin-until[i], until[i]-all[first].begin, strayTime) {
			last = i
		}
	}
	return first, last
}

// leaveLong leaves out the few slices of over a month that take over ten times as long as all others together.
func (t *Trace) leaveLong(all []*slice, few int) []*slice {
	var usual []*slice
	begin, end := int64(math.MaxInt64), int64(math.MinInt64)
	for _, s := range all {
		if s.end-s.begin <= strayTime {
			usual = append(usual, s)
			begin, end = min(begin, s.begin), max(end, s.end)
		}
	}
	if long := len(all) - len(usual); long == 0 || long > few || len(usual) <= 2*long {
		return all
	}
	for _, s := range all {
		if s.end-s.begin > strayTime && !isFar(s.end-s.begin, end-begin, strayTime) {
			return all
		}
	}
	for _, s := range all {
		if s.end-s.begin > strayTime {
			t.leaveStray(s)
		}
	}
	return usual
}

func (t *Trace) leaveStray(s *slice) {
	s.zone, s.end = noZone, s.begin
	t.slices--
	t.leave(leftStray, 1)
	for _, l := range t.lanes {
		l.strays = true
	}
}

// isFar reports whether a gap separates a stray from other slices of length rest.
func isFar(gap, rest, least int64) bool { return gap > least && gap/strayTimes > rest }
