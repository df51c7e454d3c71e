package viewer

import (
	"fmt"
	"math"

	"example.com/iprof/process"
)

// occurrence is the scope that the timeline found last. Its time is on the axis of the rows.
type occurrence struct {
	lane  process.LaneID
	level int32
	zone  process.ZoneID // 0 for none
	begin float64
}

// findOccurrence moves the timeline to the next scope of the cursor's zone, or the previous one for a direction below
// 0. It goes on from the scope found last, else from the middle of the part in sight, and over the borders of frames.
// The first search may need older frames than the last Draw had. The next Draw finishes it.
func (p *Panel) findOccurrence(direction int) {
	p.change(func() {
		t := &p.timeline
		if t.mode == TimelineHidden {
			t.mode, p.options.Timeline = TimelineShown, TimelineShown
		}
		t.search, t.view.reachAll = search{p.shown.cursorZone(), direction}, true
	})
}

// search is a search that the next Draw carries out.
type search struct {
	zone      process.ZoneID
	direction int
}

// carryOut finds the scope that the user asked for. The data has all frames now.
func (t *timeline) carryOut(p *Panel) {
	s := t.search
	if s.direction == 0 || t.data.Timeline == nil || !t.view.ready() || t.data.Length <= 0 {
		return
	}
	t.search, t.view.reachAll = search{}, false
	from, row := t.data.Origin+t.view.at.from+t.view.at.wide/2, -1
	if t.found.zone == s.zone {
		from, row = t.found.begin, t.rowOf(&t.found)
	}
	best, at := t.next(s, from, row)
	if best == nil {
		p.note, p.noteDraws = "no other scope of "+p.shown.Zone(s.zone).Name, noteDraws
		return
	}
	span := best.At[at]
	t.found = occurrence{best.Lane, best.Level, s.zone, span.Begin}
	t.bring(best.Lane)
	t.bringScope(span.Begin-t.data.Origin, span.End-t.data.Origin)
	for i := range t.data.Frames {
		if f := &t.data.Frames[i]; f.Begin <= span.Begin-t.data.Origin && span.Begin-t.data.Origin < f.End {
			p.note = fmt.Sprintf("%s in frame %d: %.3f ms", p.shown.Zone(s.zone).Name, f.Index, span.End-span.Begin)
			p.noteDraws = noteDraws
		}
	}
}

// bring brings a lane into sight, and opens its group.
func (t *timeline) bring(lane process.LaneID) {
	t.bands.aimed = lane
	if b := t.data.bandOf(lane); b != nil {
		if g := t.data.GroupOf(b); g != nil && !t.bands.open.has(g.Name) {
			t.bands.open.toggle(g.Name)
		}
	}
}

// rowOf returns the index of the row of an occurrence, -1 if there is none.
func (t *timeline) rowOf(o *occurrence) int {
	for i := range t.data.Rows {
		if r := &t.data.Rows[i]; r.Lane == o.lane && r.Level == o.level {
			return i
		}
	}
	return -1
}

// next returns the scope of a zone that is the nearest after a time and row, or before them.
func (t *timeline) next(s search, from float64, fromRow int) (best *process.TimelineRow, at int) {
	nearest := math.Inf(s.direction)
	for i := range t.data.Rows {
		r := &t.data.Rows[i]
		if t.data.Lane != 0 && r.Lane != t.data.Lane {
			continue
		}
		k := r.Beginning(from)
		if s.direction > 0 {
			for k < len(r.At) && (r.Zone(k) != s.zone || r.At[k].Begin == from && i <= fromRow) {
				k++
			}
			if k < len(r.At) && r.At[k].Begin < nearest {
				best, at, nearest = r, k, r.At[k].Begin
			}
			continue
		}
		before := func(k int) bool { return r.At[k].Begin < from || r.At[k].Begin == from && i < fromRow }
		for k = min(k, len(r.At)-1); k >= r.From && (r.Zone(k) != s.zone || !before(k)); {
			k--
		}
		if k >= r.From && r.At[k].Begin >= nearest {
			best, at, nearest = r, k, r.At[k].Begin
		}
	}
	return best, at
}

// bringScope brings a scope into sight without changing the zoom, unless the scope would be too wide or too thin.
func (t *timeline) bringScope(begin, end float64) {
	wide := t.view.target().wide
	if length := end - begin; length > wide || length < wide/500 {
		t.view.around(begin-10*length, end+10*length)
		return
	}
	t.view.set(span{(begin+end)/2 - wide/2, wide})
}

// isFound reports whether a scope is the one found last.
func (t *timelineData) isFound(o *occurrence, r *process.TimelineRow, i int) bool {
	return o.zone > 0 && r.Lane == o.lane && r.Level == o.level && r.At[i].Begin == o.begin
}
