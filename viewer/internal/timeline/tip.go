package timeline

import (
	"sort"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// scopeID is a scope of the last Draw.
type scopeID struct {
	row  *timeline.Row
	At   int // index in the row
	Lane report.LaneID
}

// Zone returns the zone of the scope.
func (s scopeID) Zone() report.ZoneID { return s.row.Zone(s.At) }

// ScopeUnder returns the scope at a place. ok is false without one.
func (t *Timeline) ScopeUnder(x, y float32) (s scopeID, ok bool) {
	if !t.View.ready() || !t.View.in.Contains(x, y) {
		return s, false
	}
	for i := range t.Bands.Laid {
		r := &t.Bands.Laid[i]
		if y < max(r.y, r.top) || y >= r.y+t.Bands.level(t.em) {
			continue
		}
		if at, _ := t.near(r.Row, x); at >= 0 {
			return scopeID{r.Row, at, r.lane}, true
		}
		break
	}
	return s, false
}

// near returns the longest scope of a row within a pixel of x, and the number of scopes there.
func (t *Timeline) near(r *timeline.Row, x float32) (at, scopes int) {
	begin, end := t.data.Origin+t.View.ms(x-1), t.data.Origin+t.View.ms(x+1)
	row := r.At
	from := r.From + sort.Search(r.Len(), func(i int) bool { return row[r.From+i].End >= begin })
	to := from + sort.Search(len(row)-from, func(i int) bool { return row[from+i].Begin > end })
	if from == to {
		return -1, 0
	}
	ms := t.data.Origin + t.View.ms(x)
	exact := from + sort.Search(to-from, func(i int) bool { return row[from+i].End >= ms })
	if to-from <= 2 && exact < to && row[exact].Begin <= ms {
		return exact, 1
	}
	_, longest := r.Together(from, to)
	return longest, to - from
}

// ends returns the ends of a scope, in ms from the beginning of the frame shown.
func (t *Timeline) ends(s scopeID) (begin, end float64) {
	of := s.row.At[s.At]
	return of.Begin - t.data.Origin, of.End - t.data.Origin
}

// Tip draws the tip of the scope under the mouse. It runs after the drawing of the parts around the timeline, because
// the tip lies above them.
func (t *Timeline) Tip(c *canvas.Canvas, d *scene.Scene, screen canvas.Rect) {
	if d.Hover.Kind != hit.Timeline || !c.Hover.Here {
		return
	}
	s, ok := t.ScopeUnder(c.Hover.X, c.Hover.Y)
	if !ok {
		return
	}
	g := scopeTip{Canvas: c, t: t, of: s, look: *t.data.look(c, d, s.Zone()), info: d.Zone(s.Zone())}
	begin, end := t.ends(s)
	g.remark = s.row.Remark(s.At)
	g.state, g.reason = t.data.Why(s.Lane, begin+t.data.Origin, end+t.data.Origin)
	width, height := 244*c.Em, float32(14+20+16*g.lines())*c.Em
	x, y := c.Hover.X+14*c.Em, c.Hover.Y+16*c.Em
	if x+width > screen.X1-4*c.Em {
		x = c.Hover.X - 10*c.Em - width
	}
	if a := &t.Bands.arrow; a.from != 0 && a.x > x-8*c.Em && c.Hover.X-10*c.Em-width > screen.X0 {
		x = c.Hover.X - 10*c.Em - width // not over the arrow
	}
	if y+height > screen.Y1-4*c.Em {
		y = c.Hover.Y - 10*c.Em - height
	}
	box := canvas.Box(draw.Snap(max(x, screen.X0+2*c.Em)), draw.Snap(max(y, screen.Y0+2*c.Em)), 0, 0)
	box.X1, box.Y1 = box.X0+draw.Snap(width), box.Y0+draw.Snap(height)
	c.Float(box)
	g.write(box.Inset(12*c.Em, 7*c.Em))
}

// scopeTip draws the tip of one scope.
type scopeTip struct {
	*canvas.Canvas
	t    *Timeline
	of   scopeID
	look zoneLook
	info gather.ZoneInfo
	at   canvas.Rect // place of the next line

	state, reason string         // why it did not run
	remark        *report.Remark // nil for nothing
}

// lines returns the number of lines below the first.
func (g *scopeTip) lines() (n int) {
	n = 2
	if g.info.File != "" {
		n++
	}
	if g.openEnds() != "" {
		n++
	}
	if g.otherScopes() > 2 {
		n++
	}
	for _, words := range [...]string{g.state, g.reason} {
		if words != "" {
			n++
		}
	}
	if g.remark != nil && g.remark.Text != "" {
		n++
	}
	if g.remark != nil && g.remark.Valued {
		n++
	}
	return n
}

// openEnds returns a note for a scope that goes on beyond the recorded time, else "".
func (g *scopeTip) openEnds() string {
	before, after := g.of.row.Before(g.of.At), g.of.row.After(g.of.At)
	switch {
	case before && after:
		return "open before and after what is shown"
	case before:
		return "begun before what is shown"
	case after:
		return "still open at the end of what is shown"
	}
	return ""
}

// otherScopes returns the number of scopes that share the pixel.
func (g *scopeTip) otherScopes() int {
	_, n := g.t.near(g.of.row, g.Hover.X)
	return n
}

// write writes the tip.
func (g *scopeTip) write(in canvas.Rect) {
	begin, ending := g.t.ends(g.of)
	head := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+18*g.Em)
	y := (head.Y0 + head.Y1) / 2
	g.Swatch(in.X0, y, 8, g.look.color)
	end := in.X1 - g.Time(in.X1, head, draw.FaceMono, ending-begin,
		shortDecimals(ending-begin, g.Precision+1, g.t.data.tick), g.TextBright, g.TextDim)
	g.Left(in.X0+14*g.Em, end-in.X0-22*g.Em, head, draw.FaceBold, g.look.name, g.TextBright)
	g.at = canvas.Box(in.X0, in.Y0+20*g.Em, in.X1, in.Y0+36*g.Em)
	g.remarks()
	decimals := 3
	if g.t.View.at.Wide < 0.01*g.t.View.length {
		decimals = 5
	}
	decimals = report.Decimals(decimals, 1, g.t.data.tick)
	g.Buffer = append(draw.AppendMilliseconds(append(g.Buffer[:0], "from "...), begin, decimals), " to "...)
	g.Buffer = append(draw.AppendTime(g.Buffer, ending, decimals), " of the frame"...)
	g.numbers()
	if b := g.t.data.bandOf(g.of.Lane); b != nil {
		g.words("on ", b.Name)
	}
	if g.info.File != "" {
		x := g.words("", g.info.FileName())
		g.at.Y0, g.at.Y1 = g.at.Y0-16*g.Em, g.at.Y1-16*g.Em
		g.Buffer = draw.AppendFixed(append(g.Buffer[:0], ':'), float64(g.info.Line), 0)
		g.at.X0 += x
		g.numbers()
		g.at.X0 -= x
	}
	if remark := g.openEnds(); remark != "" {
		g.words(remark, "")
	}
	if n := g.otherScopes(); n > 2 {
		g.Buffer = draw.AppendFixed(append(g.Buffer[:0], "the longest of "...), float64(n), 0)
		g.Buffer = append(g.Buffer, " at this place"...)
		g.numbers()
	}
	for _, words := range [...]string{g.state, g.reason} {
		if words != "" {
			g.words(words, "")
		}
	}
}

// remarks writes the program's remark on the scope.
func (g *scopeTip) remarks() {
	if g.remark == nil {
		return
	}
	if g.remark.Text != "" {
		g.Left(g.at.X0, g.at.Width(), g.at, draw.FaceSmall, g.remark.Text, g.TextBright)
		g.at.Y0, g.at.Y1 = g.at.Y0+16*g.Em, g.at.Y1+16*g.Em
	}
	if g.remark.Valued {
		g.Buffer = g.remark.AppendValue(append(g.Buffer[:0], "value "...))
		g.numbers()
	}
}

// words writes a line of two parts, and returns their width.
func (g *scopeTip) words(a, b string) (width float32) {
	width = g.Left(g.at.X0, g.at.Width(), g.at, draw.FaceSmall, a, g.TextDim)
	width += g.Left(g.at.X0+width, g.at.Width()-width-30*g.Em, g.at, draw.FaceSmall, b, g.TextDim)
	g.at.Y0, g.at.Y1 = g.at.Y0+16*g.Em, g.at.Y1+16*g.Em
	return width
}

// numbers writes a line from the buffer.
func (g *scopeTip) numbers() {
	g.ASCII(g.at.X0, g.Baseline(g.at.Y0, g.at.Y1, draw.FaceSmall), draw.FaceSmall, g.Buffer, g.TextDim)
	g.at.Y0, g.at.Y1 = g.at.Y0+16*g.Em, g.at.Y1+16*g.Em
}

// arrow leads from the lane that ended a wait to the lane that waited.
type arrow struct {
	from, to report.LaneID
	x        float32
	y0, y1   float32 // the upper and the lower edge of the waiting scope
	at       float64 // the end of the wait on the axis of the rows, ms
}

// pointAt makes the arrow of the scope under the mouse, if another lane ended its wait.
func (g *bandPainter) pointAt() {
	if g.d.Hover.Kind != hit.Timeline || !g.Hover.Here || g.t.Bands.arrow.from != 0 {
		return
	}
	of, ok := g.t.ScopeUnder(g.Hover.X, g.Hover.Y)
	if !ok {
		return
	}
	s := of.row.At[of.At]
	q := g.t.data.EndedWait(of.Lane, s.Begin, s.End)
	if q == nil {
		return
	}
	for i := range g.t.Bands.Laid {
		if r := &g.t.Bands.Laid[i]; r.Row == of.row {
			g.t.Bands.arrow = arrow{q.Waker, of.Lane, g.place(q.Interval.End), r.y, r.y + g.rowHeight(),
				q.Interval.End}
		}
	}
}

// waker returns the place of the innermost open scope at the end of a wait, on the lane that ended it.
func (g *bandPainter) waker(a *arrow) (scope canvas.Rect, ok bool) {
	for i := range g.t.Bands.Laid {
		r := &g.t.Bands.Laid[i]
		if r.lane != a.from {
			continue
		}
		at := r.Ending(a.at)
		if at >= len(r.At) || r.At[at].Begin > a.at {
			if at == r.From || a.at-r.At[at-1].End > 0 {
				continue
			}
			at-- // the scope ended at that time
		}
		scope = canvas.Box(g.place(r.At[at].Begin), r.y, g.place(r.At[at].End), r.y+g.rowHeight())
		ok = true
	}
	return scope, ok
}

// drawArrow draws the arrow of the state or of the scope under the mouse, and a border around the scope that ended the
// wait. Without such a scope, or with its lane in a folded group, the arrow comes from the lane's band.
func (g *bandPainter) drawArrow() {
	g.pointAt()
	a := g.t.Bands.arrow
	if a.from == 0 || a.x < g.in.X0 || a.x > g.in.X1 {
		return
	}
	y, known := g.t.Bands.tops[a.from]
	if scope, ok := g.waker(&a); ok && scope.Y1 > g.in.Y0 && scope.Y0 < g.in.Y1 {
		g.Border(scope.X0, scope.Y0, max(scope.X1, scope.X0+3*g.Em), scope.Y1, 2*g.Em, g.TextBright)
		y, known = (scope.Y0+scope.Y1)/2, true
	}
	if !known {
		return
	}
	end, icon := a.y1, draw.IconUp
	if y < a.y0 {
		end, icon = a.y0, draw.IconDown
	}
	side := g.IconSize()
	g.Rect(a.x-g.Em/2, min(y, end), a.x+g.Em/2, max(y, end), g.TextBright)
	g.Round(a.x-2*g.Em, y-2*g.Em, a.x+2*g.Em, y+2*g.Em, 2*g.Em, g.TextBright)
	g.Icon(icon, a.x-side/2, end-side/2, g.TextBright)
}

// rowHeight returns the height of a scope in pixels.
func (g *bandPainter) rowHeight() float32 { return g.t.Bands.level(g.Em) - max(1, draw.Snap(g.Em)) }

// groupTops notes the place of the band of a folded group, for the arrows from its lanes.
func (g *bandPainter) groupTops(of *timeline.Group, y float32) {
	for i := range g.t.data.Bands {
		if b := &g.t.data.Bands[i]; len(b.States) > 0 && g.t.data.GroupOf(b) == of {
			g.t.Bands.tops[b.ID] = y
		}
	}
}
