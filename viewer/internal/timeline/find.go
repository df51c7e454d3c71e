package timeline

import (
	"fmt"
	"math"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// occurrence is the last found scope. Its time is on the axis of the rows.
type occurrence struct {
	lane  report.LaneID
	level int32
	zone  report.ZoneID // 0 for none
	begin float64
}

// Seek makes the next Draw find the next scope of a zone, or the previous one for a direction below 0.
func (t *Timeline) Seek(zone report.ZoneID, direction int) {
	t.search, t.View.reachAll = search{zone, direction}, true
}

// search is a search that the next Draw carries out.
type search struct {
	zone      report.ZoneID
	direction int
}

// CarryOut carries out the requested search, once the data has all frames. It returns the result in words, "" without a
// search, and the scope as a goal if it is not in the frames shown.
func (t *Timeline) CarryOut(d *scene.Scene) (note string, elsewhere Goal) {
	s := t.search
	if s.direction == 0 || t.data.Timeline == nil || !t.View.ready() || t.data.Length <= 0 {
		return "", elsewhere
	}
	t.search, t.View.reachAll = search{}, false
	from, row := t.data.Origin+t.View.at.From+t.View.at.Wide/2, -1
	if t.match.zone == s.zone {
		from, row = t.match.begin, t.rowOf(&t.match)
	}
	best, at := t.nextScope(s, from, row)
	if best == nil {
		return "no other scope of " + d.Zone(s.zone).Name, elsewhere
	}
	span := best.At[at]
	t.match = occurrence{best.Lane, best.Level, s.zone, span.Begin}
	t.bring(best.Lane, best.Level)
	t.bringScope(span.Begin-t.data.Origin, span.End-t.data.Origin)
	for i := range t.data.Frames {
		f, begin := &t.data.Frames[i], span.Begin-t.data.Origin
		if f.Begin > begin || begin >= f.End {
			continue
		}
		note = fmt.Sprintf("%s in frame %d: %.*f ms", d.Zone(s.zone).Name, f.Index,
			report.Decimals(3, 1, d.Info.Tick), span.End-span.Begin)
		if f.Index < t.data.Index || f.Index > t.data.Until {
			elsewhere = Goal{f.Index, best.Lane, best.Level, s.zone, begin - f.Begin, 0}
			elsewhere.End = elsewhere.Begin + span.End - span.Begin
		}
	}
	return note, elsewhere
}

// levelOf returns the level of a scope on a lane.
func (t *Timeline) levelOf(lane report.LaneID, zone report.ZoneID, begin float64) int32 {
	for i := range t.data.Rows {
		r := &t.data.Rows[i]
		if k := r.Beginning(begin); r.Lane == lane && k < len(r.At) && r.At[k].Begin == begin && r.Zone(k) == zone {
			return r.Level
		}
	}
	return 0
}

// bring brings a level of a lane into sight, and opens the lane's group.
func (t *Timeline) bring(lane report.LaneID, level int32) {
	t.Bands.aimed, t.Bands.aimedLevel = lane, level
	if b := t.data.bandOf(lane); b != nil {
		if g := t.data.GroupOf(b); g != nil && !t.Bands.open.Has(g.Name) {
			t.Bands.open.Toggle(g.Name)
		}
	}
}

// rowOf returns the index of the row of an occurrence, or -1.
func (t *Timeline) rowOf(o *occurrence) int {
	for i := range t.data.Rows {
		if r := &t.data.Rows[i]; r.Lane == o.lane && r.Level == o.level {
			return i
		}
	}
	return -1
}

// nextScope returns the scope of a zone that is the nearest after a time and row, or before them.
func (t *Timeline) nextScope(s search, from float64, fromRow int) (best *timeline.Row, at int) {
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
func (t *Timeline) bringScope(begin, end float64) {
	wide := t.View.target().Wide
	if length := end - begin; length > wide || length < wide/500 {
		t.View.around(begin-10*length, end+10*length)
		return
	}
	t.View.set(canvas.Span{From: (begin+end)/2 - wide/2, Wide: wide})
}

// isFound reports whether a scope is the last found one.
func (t *timelineData) isFound(o *occurrence, r *timeline.Row, i int) bool {
	return o.zone > 0 && r.Lane == o.lane && r.Level == o.level && r.At[i].Begin == o.begin
}

// Goal is a scope to go to, with its times from the beginning of a frame.
type Goal struct {
	Frame      uint64
	Lane       report.LaneID
	Level      int32
	Zone       report.ZoneID
	Begin, End float64
}

// GoTo makes the next Draw of the goal's frame bring the scope into sight, and mark it.
func (t *Timeline) GoTo(g Goal) { t.goal, t.Aimed = g, g.Zone }

// reach brings the goal into sight, and reports whether this frame has the goal.
func (t *Timeline) reach() bool {
	g := t.goal
	t.goal = (Goal{})
	if g.Zone <= 0 || t.data.Index != g.Frame {
		return false
	}
	at := occurrence{g.Lane, g.Level, g.Zone, g.Begin + t.data.Origin}
	if i := t.rowOf(&at); i >= 0 { // the times of the row have other rounding errors
		if r := &t.data.Rows[i]; len(r.At) > 0 {
			k := min(r.Beginning(at.begin-1e-4), len(r.At)-1)
			at.begin = r.At[k].Begin
		}
	}
	t.match = at
	t.bring(g.Lane, g.Level)
	t.View.around(g.Begin, g.End)
	return true
}

// aim brings the longest scope of a zone in the shown frame into sight, with some time around it. Of a cause with many
// scopes it brings all.
func (t *Timeline) aim() {
	zone := t.Aimed
	if zone > 0 && !t.View.ready() && !t.unready { // the next Draw knows its place
		t.unready = true
		return
	}
	t.unready = false
	t.Aimed = 0
	if zone <= 0 {
		return
	}
	if t.reach() {
		return
	}
	lane, begin, end, ok := t.data.LongestScope(zone)
	if !ok {
		begin, end = t.data.Origin, t.data.Origin
	}
	if b := &t.Blame; ok && b.Zone == zone && (b.More || end-begin < b.Time/2) { // no single scope is the cause
		begin, end = t.extent(lane, zone, begin, end)
	}
	t.bring(lane, t.levelOf(lane, zone, begin))
	t.View.around(begin-t.data.Origin, end-t.data.Origin)
}
