package process

import (
	"slices"

	"example.com/iprof/process/internal/history"
)

// readAhead is the number of frames that are kept in the rows besides those in sight.
const readAhead = 16

// cover reads the frames from..to that are not in the rows yet. Frames before those in the rows cannot be added. In
// that case all are read again, and as many older ones, so that zooming out by small steps does not take long.
func (t *Timeline) cover(src *reader, from, to, low uint64) {
	sight := to - from + 1
	if keep := from - min(from, sight+readAhead); t.read+sight+2*readAhead < keep && from <= t.next {
		t.drop(src, keep)
	}
	if from < t.read || from > t.next || t.next == 0 || to+1 < t.read {
		t.clear()
		t.read = max(from-min(from, sight-1), low)
		t.next = t.read
	}
	for ; t.next <= to; t.next++ {
		if f := src.frameOfSeq(t.next); f != nil && f.To > f.From {
			t.take(src, f)
		}
	}
}

// drop drops the frames before one. If most lanes have ended, it drops all, and cover reads the rest again.
func (t *Timeline) drop(src *reader, keep uint64) {
	f := src.frameOfSeq(keep)
	if f == nil {
		return
	}
	t.read = keep
	for i := range t.Rows {
		t.Rows[i].drop(f.At)
	}
	for i := range t.Groups {
		t.Groups[i].load.drop(f.At)
	}
	empty := 0
	for i := range t.bands {
		b := &t.bands[i]
		b.Gaps = slices.DeleteFunc(b.Gaps, func(g TimelineSpan) bool { return g.End < f.At })
		if !slices.ContainsFunc(b.Rows, func(r int32) bool { return t.Rows[r].Len() > 0 }) {
			empty++
		}
	}
	if empty > readAhead && empty > len(t.bands)/2 { // lanes of goroutines that have ended
		t.clear()
		t.bands, t.Rows, t.byLane, t.Groups, t.byGroup = nil, nil, nil, nil, nil
	}
}

// take reads a frame.
func (t *Timeline) take(src *reader, f *history.Frame) {
	w := window{f, f, f.From, f.PerTick}
	lanes := src.lanesOf(t.scratch.lanes[:0], w)
	t.scratch.lanes = lanes
	joined := t.next > t.read && src.frameOfSeq(t.next-1) != nil && history.Adjoin(src.frameOfSeq(t.next-1), f)
	for i := range lanes {
		l := &lanes[i]
		b := t.bandOf(l)
		if l.State != TimelineWhole {
			b.gap(f.At, f.At+l.From)
		}
		if l.State == TimelineWhole || l.State == TimelineCut {
			t.scratch.scopes = src.scopesOf(t.scratch.scopes[:0], l.ID, w)
			t.add(b, t.scratch.scopes, f.At, joined)
			t.work(b, t.scratch.scopes, f.At)
		}
	}
	t.settleGroups()
}

// gap notes that a stretch of time has no events.
func (b *TimelineBand) gap(begin, end float64) {
	if n := len(b.Gaps); n > 0 && begin-b.Gaps[n-1].End < 1e-6 {
		b.Gaps[n-1].End = end
	} else if end > begin {
		b.Gaps = append(b.Gaps, TimelineSpan{begin, end})
	}
}

// bandOf returns the band of a lane, and makes one if there is none.
func (t *Timeline) bandOf(l *TimelineLane) *TimelineBand {
	at, found := t.byLane[l.ID]
	if !found {
		if t.byLane == nil {
			t.byLane = make(map[LaneID]int)
		}
		at = len(t.bands)
		t.byLane[l.ID] = at
		t.bands = append(t.bands, TimelineBand{TimelineLane: *l})
	}
	b := &t.bands[at]
	if b.Name != l.Name || !found {
		b.Name, b.group = l.Name, t.groupOf(l)
	}
	return b
}

// add adds the scopes of a lane in a frame, which begins at a time on the axis.
func (t *Timeline) add(b *TimelineBand, scopes []TimelineScope, at float64, joined bool) {
	var before [MostTimelineRows]int32 // 1 + the index of the first changed scope
	for i := range scopes {
		s := &scopes[i]
		if uint32(s.Level) >= MostTimelineRows {
			b.Deeper++
			continue
		}
		for level := len(b.Rows); level <= int(s.Level); level++ {
			b.Rows = append(b.Rows, int32(len(t.Rows)))
			t.Rows = append(t.Rows, TimelineRow{Lane: b.ID, Level: int32(level)})
		}
		r := &t.Rows[b.Rows[s.Level]]
		if before[s.Level] == 0 {
			before[s.Level] = int32(max(len(r.At), 1))
		}
		r.add(s, at+s.Begin, at+s.End, joined)
	}
	for level, row := range b.Rows {
		if before[level] > 0 {
			t.Rows[row].sumUp(int(before[level] - 1))
		}
	}
}
