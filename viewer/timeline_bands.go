package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
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
	*process.TimelineRow
	y    float32
	lane process.LaneID
}

// bands are the places of the lanes, from top to bottom.
type bands struct {
	seats []seat
	laid  []laidRow
	arrow arrow // of the state under the mouse
	tops  map[process.LaneID]float32

	open    openGroups
	grouped bool           // there are groups
	aimed   process.LaneID // lane that the next Draw brings into sight, 0 for none
	loads   []process.TimelineLoad
}

// bandPainter draws the bands of a timeline.
type bandPainter struct {
	*canvas
	d      *shown
	t      *timeline
	in     rect // place of the scopes
	left   float32
	gutter bool
}

// draw draws the lanes' names and grounds, and lays out their rows.
func (g *bandPainter) draw(lane process.LaneID) {
	t := g.t
	t.bands.laid, t.bands.arrow = t.bands.laid[:0], arrow{}
	if clear(t.bands.tops); t.bands.tops == nil {
		t.bands.tops = map[process.LaneID]float32{}
	}
	y := g.in.y0 - draw.Snap(t.view.down)
	for i := range t.bands.seats {
		s := &t.bands.seats[i]
		if !s.shows(lane) {
			continue
		}
		height := draw.Snap(heightOf(s, g.gutter) * g.em)
		if y+height > g.in.y0 && y < g.in.y1 {
			g.band(s, y, height)
		}
		y += height
	}
}

// band draws one lane's ground and name, and lays out its rows.
func (g *bandPainter) band(s *seat, y, height float32) {
	bottom := y + height - draw.Snap(bandGap*g.em/2)
	if bottom < g.in.y1-1 {
		g.Rect(g.left, bottom, g.in.x1, bottom+draw.Hairline(g.em), g.GridLine)
	}
	line := rect{g.left, y, g.in.x0 - 8*g.em, y + draw.Snap(idleBand*g.em)}
	if !g.gutter {
		line = rect{g.in.x0, y, g.in.x1, y + draw.Snap(bandName*g.em)}
	}
	if s.rows > 0 && g.gutter {
		line.y1 = y + draw.Snap(scopeRowHeight*g.em)
		line.y0 = min(max(line.y0, g.in.y0), bottom-draw.Snap(scopeRowHeight*g.em))
		line.y1 = line.y0 + draw.Snap(scopeRowHeight*g.em)
	}
	if s.kind == seatGroup {
		g.group(s, line, rect{g.in.x0, bottom - draw.Snap(crowdRows*scopeRowHeight*g.em), g.in.x1, bottom})
		return
	}
	if line.y0 >= g.in.y0 && line.y1 <= g.in.y1 {
		g.name(s, line)
	}
	if !g.gutter && s.rows > 0 {
		y += draw.Snap(bandName * g.em)
	}
	if s.band < 0 {
		return
	}
	b := &g.t.data.Bands[s.band]
	g.deeper(b, rect{line.x0, line.y1, line.x1, line.y1 + draw.Snap(scopeRowHeight*g.em)})
	g.states(b, rect{g.in.x0, bottom - draw.Snap(stateStrip*g.em), g.in.x1, bottom - draw.Snap(g.em)})
	g.missing(b, rect{g.in.x0, max(y, g.in.y0), g.in.x1, min(bottom-2*g.em, g.in.y1)})
	for i := range b.Depth {
		row := laidRow{&g.t.data.Rows[b.Rows[i]], y + draw.Snap(float32(i*scopeRowHeight)*g.em), s.id}
		if row.y+scopeRowHeight*g.em > g.in.y0 && row.y < g.in.y1 {
			g.t.bands.laid = append(g.t.bands.laid, row)
		}
	}
}

// name draws a lane's name. A lane without scopes has a fainter name and a remark.
func (g *bandPainter) name(s *seat, line rect) {
	col, all := g.TextDim, line
	idle := s.band < 0 || g.t.data.Bands[s.band].Depth == 0
	if idle {
		col = g.TextFaint
	}
	if g.hovers(line) {
		g.Round(line.x0-3*g.em, line.y0, line.x1+3*g.em, line.y1, 3*g.em, g.Hovered)
		col = g.TextBright
	}
	word := g.remarkOf(s)
	room := line.width()
	if !g.gutter {
		room = line.width() * 0.5
	}
	if s.device {
		width := g.chip(line.x0-2*g.em, line, "GPU", g.Raised, g.Accent) + 6*g.em
		line.x0, room = line.x0+width, room-width
	}
	name := s.name
	if s.device && name == "GPU" {
		name = ""
	}
	if s.kind == seatInside {
		line.x0, room, name = line.x0+14*g.em, room-14*g.em, ofCrowd(name)
	}
	x := line.x0 + g.tail(line.x0, room, line, draw.FaceSmall, name, col) + 8*g.em
	if word != "" {
		where := rect{g.in.x0 + 6*g.em, line.y0, g.in.x1, line.y1}
		if !g.gutter {
			where.x0 = x
		}
		g.write(where.x0, where.width(), where, word, g.TextFaint)
	}
	h := hitOf(HitTimelineLane, 0)
	h.Lane = s.id
	if g.add(all, h); s.device {
		g.explainDevice(s, all)
	}
}

// explainDevice says of what the lane is, and how its clock runs.
func (g *bandPainter) explainDevice(s *seat, at rect) {
	if !g.tip.accepts(g.hovers(at)) {
		return
	}
	g.explain(at, "GPU", "when the GPU carried out the commands of each zone.\nA click shows it alone")
	g.tip.number = append(draw.AppendFixed(append(g.tip.number, "its clock differs by "...), s.drift*1e6, 2),
		" µs a second, and is set again each second"...)
}

func (g *bandPainter) write(x, room float32, r rect, s string, col color.NRGBA) float32 {
	return g.canvas.left(x, room, r, draw.FaceSmall, s, col)
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
	case b.State == process.TimelineOff:
		return "no events kept"
	case b.State == process.TimelineGone:
		return "overwritten"
	}
	return "idle"
}

// deeper writes the number of scopes without a row below the lane's name.
func (g *bandPainter) deeper(b *process.TimelineBand, r rect) {
	if b.Deeper == 0 || !g.gutter || r.y0 < g.in.y0 || r.y1 > g.in.y1 {
		return
	}
	g.buffer = append(draw.AppendFixed(append(g.buffer[:0], '+'), float64(b.Deeper), 0), " deeper"...)
	g.ASCII(r.x0, g.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, g.buffer, g.TextFaint)
}

// missing shades the time whose events are overwritten.
func (g *bandPainter) missing(b *process.TimelineBand, r rect) {
	if b.Depth == 0 || r.height() < 2 {
		return
	}
	for _, gap := range b.Gaps {
		x0, x1 := max(g.t.view.x(gap.Begin-g.t.data.Origin), g.in.x0), min(g.t.view.x(gap.End-g.t.data.Origin), g.in.x1)
		if x1-x0 < 2*g.em {
			continue
		}
		g.Rect(x0, r.y0, x1, r.y1, draw.Fade(g.Raised, 0.55))
		if x1-x0 > 90*g.em {
			line := rect{x0, r.y0, x1, r.y0 + draw.Snap(scopeRowHeight*g.em)}
			g.canvas.left(x0+6*g.em, x1-x0-8*g.em, line, draw.FaceSmall, "overwritten", g.TextFaint)
		}
	}
}
