package timeline

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Blame is the cause of a verdict that the timeline marks. The zero Blame means no cause.
type Blame struct {
	Zone   report.ZoneID
	Usual  float64       // usual ms of one of its scopes, below 0 if unknown
	More   bool          // called more often: Usual is the sum of all calls
	Time   float64       // ms of all its scopes, 0 if unknown
	Absent string        // words in place of a usual time, for a usually absent cause
	Taken  float64       // ms for which the collector stopped it: Usual is then the rest
	Away   bool          // the machine took the time away
	Waited report.ZoneID // zone that waited for Zone, on the lane that ends the frames; 0 for none
}

// BlameOf returns the marks for a verdict's cause.
func BlameOf(v *report.Verdict, which int) (b Blame) {
	if !v.Found() {
		return b
	}
	first, c := &v.Causes[0], &v.Causes[min(which, len(v.Causes)-1)]
	b = Blame{Zone: c.Zone, Usual: -1, Away: first.OfMachine()}
	switch c.Kind {
	case report.CauseWorker, report.CauseGPU:
		b.compare(c)
		for i := range v.Causes {
			if o := &v.Causes[i]; o != c && o.Path > 0 {
				b.Waited = o.Zone
			}
		}
		return b
	case report.CauseAway, report.CauseState, report.CauseAllocated, report.CauseProcessor, report.CauseLocks,
		report.CauseCollector, report.CauseNotRunning:
		c, b.Zone = first, first.Zone
		if v.Target().Path > 0 {
			t := v.Target()
			b.Zone = t.Zone
		}
	}
	if c.Chosen {
		return b
	}
	switch c.Kind {
	case report.CauseCollector:
		b.Usual, b.Taken = 0, c.Excess
	case report.CauseMoreCalls:
		b.Usual, b.More = c.Usual, true
	case report.CauseLonger, report.CauseWaiting, report.CauseNewPath:
		b.compare(c)
	}
	return b
}

// compare compares a scope with the usual time of one call of a cause.
func (b *Blame) compare(c *report.Cause) {
	b.Usual, b.Time = perCall(c), c.Time
	if c.Absent() {
		b.Usual, b.Absent = 0, scene.AbsentWords(c)
	}
}

// perCall returns the usual time of one call, including usual callees.
func perCall(c *report.Cause) float64 {
	if c.Count >= 1.5 || c.Often >= 1.5 {
		return c.Usual / max(c.Often, 1)
	}
	return c.Usual
}

// Blamed holds the places of the marks of the last Draw.
type Blamed struct {
	Bar, Ghost  canvas.Rect
	Wait, Scope canvas.Rect // of an arrow
	From, To    canvas.Point
}

// drawBlame marks the longest scope of the cause: its usual part, and the excess. An arrow leads to the wait from the
// scope that ended it.
func (g *bandPainter) drawBlame() {
	t := g.t
	t.Blamed = Blamed{}
	b := &t.Blame
	if b.Zone <= 0 {
		return
	}
	lane, begin, end, ok := t.data.LongestScope(b.Zone)
	if !ok {
		return
	}
	if b.More {
		begin, end = t.extent(lane, b.Zone, begin, end)
	}
	row := g.laidAt(lane, b.Zone, begin)
	if row == nil {
		return
	}
	bar := canvas.Box(g.place(begin), row.y, max(g.place(end), g.place(begin)+3*g.Em), row.y+g.rowHeight())
	if bar.Y1 <= g.in.Y0 || bar.Y0 >= g.in.Y1 {
		return
	}
	t.Blamed.Bar = bar
	bar.Y1 = min(bar.Y1, g.in.Y1)
	g.Border(bar.X0, bar.Y0, bar.X1, bar.Y1, 2*g.Em, g.Strong)
	if b.Usual >= 0 {
		g.drawGhost(bar, begin, end)
	}
	if g.t.Bands.arrow.from == 0 {
		g.blameArrow(lane, begin, end)
	}
}

// laidAt returns the row with a scope of a zone that begins at a time, or nil.
func (g *bandPainter) laidAt(lane report.LaneID, zone report.ZoneID, begin float64) *laidRow {
	for i := range g.t.Bands.Laid {
		r := &g.t.Bands.Laid[i]
		if r.lane != lane {
			continue
		}
		if at := r.Beginning(begin); at < len(r.At) && r.At[at].Begin == begin && r.Zone(at) == zone {
			return r
		}
	}
	return nil
}

// extent returns the ends of all scopes of a zone in a lane of the shown frame, starting from one scope's begin and
// end.
func (t *Timeline) extent(lane report.LaneID, zone report.ZoneID, begin, end float64) (from, to float64) {
	from, to = begin, end
	for i := range t.data.Rows {
		row := &t.data.Rows[i]
		last := row.Beginning(t.data.Origin + t.data.Length)
		for at := row.Ending(t.data.Origin); row.Lane == lane && at < last; at++ {
			if row.Zone(at) == zone {
				from, to = min(from, row.At[at].Begin), max(to, row.At[at].End)
			}
		}
	}
	return from, to
}

// drawGhost draws the usual length at the lower edge of a scope, and the excess.
func (g *bandPainter) drawGhost(bar canvas.Rect, begin, end float64) {
	usual := min(begin+g.t.Blame.Usual, end)
	if taken := g.t.Blame.Taken; taken > 0 {
		usual = max(end-taken, begin)
	}
	x := max(g.place(usual), min(bar.X0+2*g.Em, bar.X1))
	y := bar.Y1 - 3*g.Em
	ghost := canvas.Box(bar.X0, y, x, bar.Y1)
	g.t.Blamed.Ghost = ghost
	g.Rect(ghost.X0, ghost.Y0, ghost.X1, ghost.Y1, g.Strong)
	more := g.Red
	if g.t.Blame.Taken > 0 {
		more = g.Collection
	}
	g.Rect(x, y, bar.X1, bar.Y1, more)
	if x <= g.in.X0 || x >= g.in.X1 {
		return
	}
	hair, label := draw.Hairline(g.Em), canvas.Box(0, bar.Y1+2*g.Em, 0, bar.Y1+17*g.Em)
	if label.Y1 > g.in.Y1 { // no room below the last row
		label.Y0, label.Y1 = bar.Y0-17*g.Em, bar.Y0-2*g.Em
	}
	g.Rect(x-hair, min(bar.Y0-3*g.Em, label.Y0), x+hair, max(bar.Y1, label.Y1), g.Strong)
	c := g.Canvas
	switch {
	case g.t.Blame.Taken > 0:
		c.Buffer = append(c.Buffer[:0], "the collector stopped it for "...)
		c.Buffer = appendShort(c.Buffer, g.t.Blame.Taken, 1, g.t.data.tick)
	case g.t.Blame.Absent != "":
		c.Buffer = append(c.Buffer[:0], g.t.Blame.Absent...)
	default:
		c.Buffer = appendShort(append(c.Buffer[:0], "usually "...), g.t.Blame.Usual, 1, g.t.data.tick)
	}
	width := c.ASCIIWidth(draw.FaceSmall, c.Buffer) + 10*g.Em
	x0 := min(x, g.in.X1-width)
	c.Round(x0, label.Y0, x0+width, label.Y1, 3*g.Em, draw.Mix(g.Surface, g.Strong, 0.16))
	y = c.Baseline(label.Y0, label.Y1, draw.FaceSmall)
	c.ASCII(x0+5*g.Em, y, draw.FaceSmall, c.Buffer, c.Strong)
}

// blameArrow makes the arrow of the marked scope: from the lane that ended its longest wait, or from the scope that it
// waited for.
func (g *bandPainter) blameArrow(lane report.LaneID, begin, end float64) {
	t := g.t
	if zone := t.Blame.Waited; zone > 0 {
		waiting, from, to, ok := t.data.LongestScope(zone)
		row := g.laidAt(waiting, zone, from)
		if !ok || row == nil || waiting == lane {
			return
		}
		g.link(t.Blamed.Bar, canvas.Box(g.place(from), row.y, g.place(to), row.y+g.rowHeight()))
		return
	}
	q := t.data.EndedWait(lane, begin, end)
	if q == nil {
		return
	}
	row := t.Blamed.Bar
	a := arrow{q.Waker, lane, g.place(q.Interval.End), row.Y0, row.Y1, q.Interval.End}
	t.Bands.arrow = a
	t.Blamed.Wait = canvas.Box(g.place(q.Interval.Begin), row.Y0, g.place(q.Interval.End), row.Y1)
	g.Rect(t.Blamed.Wait.X0, row.Y0, t.Blamed.Wait.X1, row.Y0+2*g.Em, g.Red)
	if scope, ok := g.waker(&a); ok {
		t.Blamed.Scope = scope
		t.Blamed.From, t.Blamed.To = canvas.At(a.x-0.5, (scope.Y0+scope.Y1)/2, true),
			canvas.At(a.x-0.5, (row.Y0+row.Y1)/2, true)
	}
}

// link draws an arrow from the end of a scope to the scope that waited for it.
func (g *bandPainter) link(scope, wait canvas.Rect) {
	x := min(max(scope.X1, wait.X0), wait.X1) - g.Em
	b := &g.t.Blamed
	b.Wait, b.Scope = wait, scope
	b.From, b.To = canvas.At(min(x, scope.X1-1), (scope.Y0+scope.Y1)/2, true), canvas.At(x, (wait.Y0+wait.Y1)/2, true)
	if x < g.in.X0 || x > g.in.X1 {
		return
	}
	end, icon := wait.Y1, draw.IconUp
	if scope.Y0 < wait.Y0 {
		end, icon = wait.Y0, draw.IconDown
	}
	side := g.IconSize()
	y := (scope.Y0 + scope.Y1) / 2
	g.Rect(x-g.Em/2, min(y, end), x+g.Em/2, max(y, end), g.TextBright)
	g.Round(x-2*g.Em, y-2*g.Em, x+2*g.Em, y+2*g.Em, 2*g.Em, g.TextBright)
	g.Icon(icon, x-side/2, end-side/2, g.TextBright)
}

// HasScopes reports whether the shown frame has scopes.
func (t *Timeline) HasScopes() bool { return t.data.Timeline != nil && t.data.any() }

// InSight is the visible part of the time and of the lanes.
type InSight struct {
	goal   canvas.Span
	down   float32
	joined bool
}

// Sight returns the visible part.
func (t *Timeline) Sight() InSight { return InSight{t.View.goal, t.View.downGoal, t.View.joined} }

// Return shows an earlier part again.
func (t *Timeline) Return(p InSight) {
	t.View.goal, t.View.downGoal, t.View.joined = p.goal, p.down, p.joined
}
