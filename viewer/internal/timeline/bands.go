package timeline

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Heights and widths of a timeline in nominal pixels.
const (
	idleBand   = 15 // a lane without scopes
	bandGap    = 6
	bandName   = 14 // the lane's name above its band, if there is no room beside it
	bandGutter = 104
	nameGutter = 150 // with groups, whose names are longer
	axisHeight = 17
)

// laidRow is a row of scopes and its place.
type laidRow struct {
	*timeline.Row
	y    float32
	lane report.LaneID
	top  float32 // the part above it is hidden
}

// bands are the places of the lanes, from top to bottom.
type bands struct {
	Seats    []seat
	nextSeat int // see seatOf
	Laid     []laidRow
	arrow    arrow // of the state under the mouse
	tops     map[report.LaneID]float32
	line     float32 // height of a level in nominal pixels, if above scopeRowHeight: see stretch

	open    OpenGroups
	grouped bool          // has groups
	kept    []string      // names of the bands at the top
	aimed   report.LaneID // lane that the next Draw brings into sight, 0 for none

	aimedLevel int32 // its level, if not all have room
	loads      []timeline.Load
}

// bandPainter draws the bands of a timeline.
type bandPainter struct {
	*canvas.Canvas
	d      *scene.Scene
	t      *Timeline
	in     canvas.Rect // place of the scopes
	left   float32
	gutter bool
}

// draw draws the lanes' names and backgrounds, and lays out their rows.
func (g *bandPainter) draw(lane report.LaneID) {
	t := g.t
	t.Bands.Laid, t.Bands.arrow = t.Bands.Laid[:0], arrow{}
	if clear(t.Bands.tops); t.Bands.tops == nil {
		t.Bands.tops = map[report.LaneID]float32{}
	}
	y, all := g.in.Y0, g.in
	kept := t.Bands.keptHeight(g.Em, lane, g.gutter, g.in.Height())
	moves := false
	for i := range t.Bands.Seats {
		s := &t.Bands.Seats[i]
		if !s.shows(lane) {
			continue
		}
		if !moves && (kept == 0 || s.rank > keptRank) {
			moves = true
			y -= draw.Snap(t.View.down)
			g.in.Y0 += kept
		}
		height := draw.Snap(heightOf(s, t.Bands.line, g.gutter) * g.Em)
		if y+height > g.in.Y0 && y < g.in.Y1 {
			g.band(s, y, height)
		}
		y += height
	}
	g.in = all
	if kept > 0 {
		g.Rect(g.left, all.Y0+kept-max(1, g.Em), all.X1, all.Y0+kept, draw.Fade(g.Accent, 0.7))
	}
}

// band draws one lane's background and name, and lays out its rows.
func (g *bandPainter) band(s *seat, y, height float32) {
	bottom := y + height - draw.Snap(bandGap*g.Em/2)
	if bottom < g.in.Y1-1 {
		g.Rect(g.left, bottom, g.in.X1, bottom+draw.Hairline(g.Em), g.GridLine)
	}
	line := canvas.Box(g.left, y, g.in.X0-8*g.Em, y+draw.Snap(idleBand*g.Em))
	if !g.gutter {
		line = canvas.Box(g.in.X0, y, g.in.X1, y+draw.Snap(bandName*g.Em))
	}
	if s.rows > 0 && g.gutter {
		line.Y1 = y + draw.Snap(scopeRowHeight*g.Em)
		line.Y0 = min(max(line.Y0, g.in.Y0), bottom-draw.Snap(scopeRowHeight*g.Em))
		line.Y1 = line.Y0 + draw.Snap(scopeRowHeight*g.Em)
	}
	if s.kind == seatGroup {
		g.group(s, line, canvas.Box(g.in.X0, bottom-crowdRows*g.t.Bands.level(g.Em), g.in.X1, bottom))
		return
	}
	if line.Y0 >= g.in.Y0 && line.Y1 <= g.in.Y1 {
		g.name(s, line)
	}
	if !g.gutter && s.rows > 0 {
		y += draw.Snap(bandName * g.Em)
	}
	if s.band < 0 {
		return
	}
	b := &g.t.data.Bands[s.band]
	g.deeper(b, canvas.Box(line.X0, line.Y1, line.X1, line.Y1+draw.Snap(scopeRowHeight*g.Em)))
	g.states(b, canvas.Box(g.in.X0, bottom-draw.Snap(stateStrip*g.Em), g.in.X1, bottom-draw.Snap(g.Em)))
	g.missing(b, canvas.Box(g.in.X0, max(y, g.in.Y0), g.in.X1, min(bottom-2*g.Em, g.in.Y1)))
	for i := range b.Depth {
		row := laidRow{&g.t.data.Rows[b.Rows[i]], y + float32(i)*g.t.Bands.level(g.Em), s.id, g.in.Y0}
		if row.y+g.t.Bands.level(g.Em) > g.in.Y0 && row.y < g.in.Y1 {
			g.t.Bands.Laid = append(g.t.Bands.Laid, row)
		}
	}
}

// name draws a lane's name. A lane without scopes has a fainter name and a remark.
func (g *bandPainter) name(s *seat, line canvas.Rect) {
	col, all := g.TextDim, line
	idle := s.band < 0 || g.t.data.Bands[s.band].Depth == 0
	if idle {
		col = g.TextFaint
	}
	if g.Hovers(line) {
		g.Round(line.X0-3*g.Em, line.Y0, line.X1+3*g.Em, line.Y1, 3*g.Em, g.Hovered)
		col = g.TextBright
	}
	word := g.remarkOf(s)
	room := line.Width()
	if !g.gutter {
		room = line.Width() * 0.5
	}
	if s.device {
		width := g.Chip(line.X0-2*g.Em, line, "GPU", g.Raised, g.Accent) + 6*g.Em
		line.X0, room = line.X0+width, room-width
	}
	name := s.name
	if s.device && name == "GPU" {
		name = ""
	}
	if s.kind == seatInside {
		line.X0, room, name = line.X0+14*g.Em, room-14*g.Em, insideName(name)
	}
	x := line.X0 + g.Cut(line.X0, room, line, draw.FaceSmall, name, col) + 8*g.Em
	if word != "" {
		where := canvas.Box(g.in.X0+6*g.Em, line.Y0, g.in.X1, line.Y1)
		if !g.gutter {
			where.X0 = x
		}
		g.write(where.X0, where.Width(), where, word, g.TextFaint)
	}
	h := hit.Of(hit.TimelineLane, 0)
	h.Lane = s.id
	if g.Add(all, h); s.device {
		g.explainDevice(s, all)
	}
}

// explainDevice requests a tip on a lane's device and its clock.
func (g *bandPainter) explainDevice(s *seat, at canvas.Rect) {
	if !g.Tip.Accepts(g.Hovers(at)) {
		return
	}
	g.Explain(at, "GPU", "when the GPU carried out the commands of each zone.\nA click shows it alone")
	g.Tip.Number = append(draw.AppendFixed(append(g.Tip.Number, "its clock differs by "...), s.drift*1e6, 2),
		" µs a second, and is set again each second"...)
}

func (g *bandPainter) write(x, room float32, r canvas.Rect, s string, col color.NRGBA) float32 {
	return g.Canvas.Left(x, room, r, draw.FaceSmall, s, col)
}

// remarkOf returns the reason why a lane has no scopes, "" if it has some.
func (g *bandPainter) remarkOf(s *seat) string {
	if s.band < 0 {
		return "idle"
	}
	b := &g.t.data.Bands[s.band]
	switch {
	case b.Depth > 0:
		return ""
	case b.State == timeline.Off:
		return "no events kept"
	case b.State == timeline.Gone:
		return "overwritten"
	}
	return "idle"
}

// deeper writes the number of scopes without a row below the lane's name.
func (g *bandPainter) deeper(b *timeline.Band, r canvas.Rect) {
	if b.Deeper == 0 || !g.gutter || r.Y0 < g.in.Y0 || r.Y1 > g.in.Y1 {
		return
	}
	g.Buffer = append(draw.AppendFixed(append(g.Buffer[:0], '+'), float64(b.Deeper), 0), " deeper"...)
	g.ASCII(r.X0, g.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, g.Buffer, g.TextFaint)
}

// missing shades the time with overwritten events.
func (g *bandPainter) missing(b *timeline.Band, r canvas.Rect) {
	if b.Depth == 0 || r.Height() < 2 {
		return
	}
	for _, gap := range b.Gaps {
		x0, x1 := max(g.t.View.x(gap.Begin-g.t.data.Origin), g.in.X0), min(g.t.View.x(gap.End-g.t.data.Origin), g.in.X1)
		if x1-x0 < 2*g.Em {
			continue
		}
		g.Rect(x0, r.Y0, x1, r.Y1, draw.Fade(g.Raised, 0.55))
		if x1-x0 > 90*g.Em {
			line := canvas.Box(x0, r.Y0, x1, r.Y0+draw.Snap(scopeRowHeight*g.Em))
			g.Canvas.Left(x0+6*g.Em, x1-x0-8*g.Em, line, draw.FaceSmall, "overwritten", g.TextFaint)
		}
	}
}

// Heights of the strip of goroutine states, in nominal pixels.
const (
	stateStrip = 5 // below the scopes of a lane
	stateGap   = 4 // extra height of a band with such a strip
)

// mostStateQuads limits the quads of a strip.
const mostStateQuads = 2000

// stateColor returns the colour of a state: bright for running, amber without a processor, dim for waiting.
func stateColor(c *canvas.Canvas, k gather.StateKind) color.NRGBA {
	switch k {
	case gather.StateRunning:
		return c.Green
	case gather.StateRunnable:
		return c.Amber
	case gather.StateSyscall:
		return c.Accent
	case gather.StateAssist, gather.StateMarking:
		return c.Collection
	case gather.StateStopped, gather.StateGone:
		return c.Red
	}
	return c.Idle
}

// states draws a thin strip with the states of a lane, and explains the one under the mouse.
func (g *bandPainter) states(b *timeline.Band, r canvas.Rect) {
	if len(b.States) == 0 || r.Y0 < g.in.Y0 || r.Y1 > g.in.Y1 {
		return
	}
	g.t.Bands.tops[b.ID] = r.Y0
	last, most := r.X0, len(g.V)+4*mostStateQuads
	for i := range b.States {
		q := &b.States[i]
		x0, x1 := g.place(q.Interval.Begin), g.place(q.Interval.End)
		x0 = max(x0, last)
		if x1-x0 < 0.5 || len(g.V) > most {
			continue
		}
		box := canvas.Box(x0, r.Y0, draw.Snap(max(x1, x0+1)), r.Y1)
		g.Rect(box.X0, box.Y0, box.X1, box.Y1, stateColor(g.Canvas, q.Kind))
		if q.Kind == gather.StateRunnable {
			g.Stripes(box, 4, 0.65)
		}
		last = box.X1
		if g.Hovers(canvas.Box(box.X0, box.Y0-2*g.Em, box.X1, box.Y1+2*g.Em)) {
			g.Border(box.X0, box.Y0-g.Em, box.X1, box.Y1+g.Em, 0, g.Strong)
			under := canvas.Box(g.Hover.X, box.Y0-2*g.Em, g.Hover.X+1, box.Y1+2*g.Em)
			g.Explain(under, q.Title(), g.t.stateWords(q))
			g.t.Bands.arrow = arrow{q.Waker, b.ID, box.X1, r.Y0, r.Y1, q.Interval.End}
		}
	}
}

// place returns the pixel of a time on the axis, within the place of the scopes.
func (g *bandPainter) place(ms float64) float32 {
	return min(max(g.t.View.x(ms-g.t.data.Origin), g.in.X0), g.in.X1)
}

// drawProgramStates draws stops of the world or the process over all lanes, and the times of the collector's marking.
func (g *bandPainter) drawProgramStates() {
	for i := range g.t.data.Whole {
		q := &g.t.data.Whole[i]
		r := canvas.Box(g.place(q.Interval.Begin), g.in.Y0, g.place(q.Interval.End), g.in.Y1)
		if r.Width() < 0.5 || i > mostStateQuads || g.t.NoCollector && q.Kind != gather.StateGone {
			continue
		}
		if q.Kind == gather.StateMarking { // a light background, and a line at the top that is easy to point at
			g.Rect(r.X0, r.Y0, max(r.X1, r.X0+1), r.Y1, draw.Fade(g.Collection, 0.10))
			r.Y1 = r.Y0 + 2*g.Em
		}
		r.X1 = max(r.X1, r.X0+1)
		g.Rect(r.X0, r.Y0, r.X1, r.Y1, draw.Fade(stateColor(g.Canvas, q.Kind), 0.35))
		if g.t.Blame.Away && q.Kind == gather.StateGone {
			g.drawAwayWords(r)
		}
		if at := (canvas.Box(r.X0, r.Y0, r.X1, r.Y0+4*g.Em)); g.Hovers(at) {
			g.Explain(at, q.Title(), g.t.stateWords(q))
		}
	}
}

// drawAwayWords draws the words for a time without a processor or machine, in which nothing ran.
func (g *bandPainter) drawAwayWords(r canvas.Rect) {
	const words = "nothing of the program ran"
	width := g.Width(draw.FaceSmall, words) + 10*g.Em
	x0, x1 := max(r.X0, g.in.X0), min(r.X1, g.in.X1)
	if x1-x0 < width || r.Height() < 40*g.Em {
		return
	}
	x, y := (x0+x1-width)/2, r.Y1-20*g.Em
	g.Round(x, y, x+width, y+16*g.Em, 3*g.Em, draw.Mix(g.Surface, g.Red, 0.25))
	g.Left(x+5*g.Em, width, canvas.Box(x, y, x+width, y+16*g.Em), draw.FaceSmall, words, g.TextBright)
}

// stateWords returns the lines of a state's tip: its length, its place, and the goroutine that ended it.
func (t *Timeline) stateWords(q *timeline.Stretch) string {
	words := string(appendUnit(nil, q.Interval.End-q.Interval.Begin, 3, t.data.tick))
	if q.Place != "" {
		words += ", at " + q.Place
	}
	if q.Reason != "" && q.Kind != gather.StateWaiting {
		words += "\n" + q.Reason
	}
	if by := t.data.Ended(q); by != "" {
		words += "\n" + by
	}
	return words
}
