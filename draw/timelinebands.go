package draw

import (
	"image/color"
	"slices"

	"example.com/iprof/process"
)

// Heights and widths of a timeline in nominal pixels.
const (
	idleBand   = 15 // a lane in which nothing happened
	bandGap    = 6
	bandName   = 14 // the name above a band, where there is no room beside it
	bandGutter = 104
	axisHeight = 17
)

// seatFrames is for how many frames a lane keeps its place and its height when it needs them no more: nothing jumps.
const seatFrames = 90

// seat is a lane's place among the bands.
type seat struct {
	id     uint64
	name   string
	rows   int
	needed uint64 // number of the latest frame that needed so many rows
	band   int    // in the data, -1 for none
}

// laidRow is a row of scopes and where it lies.
type laidRow struct {
	scopeRow
	y    float32
	lane uint64
}

// bands is where the lanes lie, from top to bottom.
type bands struct {
	seats []seat
	laid  []laidRow
}

// seatAll gives every lane of the data a place, by number, and those that are not in it keep theirs for a while.
func (b *bands) seatAll(t *timelineData, now uint64) {
	b.seats = slices.DeleteFunc(b.seats, func(s seat) bool { return now < s.needed || now > s.needed+seatFrames })
	for i := range b.seats {
		b.seats[i].band = -1
	}
	for i := range t.bands {
		l := &t.bands[i]
		at, found := slices.BinarySearchFunc(b.seats, l.ID, func(s seat, id uint64) int { return int(int64(s.id - id)) })
		if !found {
			b.seats = slices.Insert(b.seats, at, seat{id: l.ID})
		}
		s := &b.seats[at]
		s.name, s.band = l.Name, i
		if l.rows >= s.rows || now > s.needed+seatFrames/2 {
			s.rows, s.needed = l.rows, now
		}
	}
}

// heightOf is what a band takes, with the gap below it.
func heightOf(s *seat, gutter bool) float32 {
	height := float32(max(s.rows*scopeRowHeight, idleBand) + bandGap)
	if !gutter && s.rows > 0 {
		height += bandName
	}
	return height
}

// shows reports whether a lane is among those looked at.
func (s *seat) shows(lane uint64) bool { return lane == 0 || s.id == lane }

// height is what all bands take.
func (b *bands) height(em float32, lane uint64, gutter bool) (height float32) {
	for i := range b.seats {
		if s := &b.seats[i]; s.shows(lane) {
			height += heightOf(s, gutter) * em
		}
	}
	return height
}

// bandPainter draws the bands of a timeline.
type bandPainter struct {
	*canvas
	t      *timeline
	in     rect // of the scopes
	left   float32
	gutter bool
}

// draw draws the lanes' names and grounds, and says where their rows lie.
func (g *bandPainter) draw(lane uint64) {
	t := g.t
	t.bands.laid = t.bands.laid[:0]
	y := g.in.y0 - snap(t.view.down)
	for i := range t.bands.seats {
		s := &t.bands.seats[i]
		if !s.shows(lane) {
			continue
		}
		height := snap(heightOf(s, g.gutter) * g.em)
		if y+height > g.in.y0 && y < g.in.y1 {
			g.band(s, y, height)
		}
		y += height
	}
}

// band draws one lane's ground and name.
func (g *bandPainter) band(s *seat, y, height float32) {
	bottom := y + height - snap(bandGap*g.em/2)
	if bottom < g.in.y1-1 {
		g.Rect(g.left, bottom, g.in.x1, bottom+ringWidth(g.em), g.gridLine)
	}
	line := rect{g.left, y, g.in.x0 - 8*g.em, y + snap(idleBand*g.em)}
	if !g.gutter {
		line = rect{g.in.x0, y, g.in.x1, y + snap(bandName*g.em)}
	}
	if s.rows > 0 && g.gutter {
		line.y1 = y + snap(scopeRowHeight*g.em)
		line.y0 = min(max(line.y0, g.in.y0), bottom-snap(scopeRowHeight*g.em))
		line.y1 = line.y0 + snap(scopeRowHeight*g.em)
	}
	if line.y0 >= g.in.y0 && line.y1 <= g.in.y1 {
		g.name(s, line)
	}
	if !g.gutter && s.rows > 0 {
		y += snap(bandName * g.em)
	}
	if s.band < 0 {
		return
	}
	b := &g.t.data.bands[s.band]
	g.deeper(b, rect{line.x0, line.y1, line.x1, line.y1 + snap(scopeRowHeight*g.em)})
	g.missing(b, rect{g.in.x0, max(y, g.in.y0), g.in.x1, min(bottom-2*g.em, g.in.y1)})
	for i := range b.rows {
		row := laidRow{g.t.data.rows[b.first+i], y + snap(float32(i*scopeRowHeight)*g.em), s.id}
		if row.y+scopeRowHeight*g.em > g.in.y0 && row.y < g.in.y1 {
			g.t.bands.laid = append(g.t.bands.laid, row)
		}
	}
}

// name draws a lane's name; a lane in which nothing happened has it fainter, and says so.
func (g *bandPainter) name(s *seat, line rect) {
	col := g.textDim
	idle := s.band < 0 || g.t.data.bands[s.band].rows == 0
	if idle {
		col = g.textFaint
	}
	if g.hovers(line) {
		g.Round(line.x0-3*g.em, line.y0, line.x1+3*g.em, line.y1, 3*g.em, g.hovered)
		col = g.textBright
	}
	word := g.remarkOf(s)
	room := line.width()
	if !g.gutter {
		room = line.width() * 0.5
	}
	x := line.x0 + g.write(line.x0, room, line, s.name, col) + 8*g.em
	if word != "" {
		where := rect{g.in.x0 + 6*g.em, line.y0, g.in.x1, line.y1}
		if !g.gutter {
			where.x0 = x
		}
		g.write(where.x0, where.width(), where, word, g.textFaint)
	}
	h := hitOf(HitTimelineLane, 0)
	h.Lane = s.id
	g.add(line, h)
}

func (g *bandPainter) write(x, room float32, r rect, s string, col color.NRGBA) float32 {
	return g.canvas.left(x, room, r, FaceSmall, s, col)
}

// remarkOf is what there is to say of a lane without scopes.
func (g *bandPainter) remarkOf(s *seat) string {
	if s.band < 0 {
		return "idle"
	}
	b := &g.t.data.bands[s.band]
	switch {
	case b.rows > 0:
		return ""
	case b.State == process.TimelineOff:
		return "no events kept"
	case b.State == process.TimelineGone:
		return "overwritten"
	}
	return "idle"
}

// deeper says below a lane's name how many scopes have no row.
func (g *bandPainter) deeper(b *band, r rect) {
	if b.deeper == 0 || !g.gutter || r.y0 < g.in.y0 || r.y1 > g.in.y1 {
		return
	}
	g.buffer = append(appendFixed(append(g.buffer[:0], '+'), float64(b.deeper), 0), " deeper"...)
	g.ascii(r.x0, g.baseline(r.y0, r.y1, FaceSmall), FaceSmall, g.buffer, g.textFaint)
}

// missing shades the time of which nothing is known any more.
func (g *bandPainter) missing(b *band, r rect) {
	if b.State != process.TimelineCut || b.rows == 0 || r.height() < 2 {
		return
	}
	x0, x1 := max(g.t.view.x(0), g.in.x0), min(g.t.view.x(b.From), g.in.x1)
	if x1-x0 < 2*g.em {
		return
	}
	g.Rect(x0, r.y0, x1, r.y1, fade(g.raised, 0.55))
	if x1-x0 > 90*g.em {
		g.canvas.left(x0+6*g.em, x1-x0-8*g.em, rect{x0, r.y0, x1, r.y0 + snap(scopeRowHeight*g.em)}, FaceSmall, "overwritten", g.textFaint)
	}
}
