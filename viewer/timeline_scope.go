package viewer

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
)

// scope draws one scope with its name and time, as far as they fit.
func (g *scopeRows) scope(i int) {
	s, zone := g.row.At[i], g.row.Zone(i)
	look := g.data.look(g.canvas, g.d, zone)
	how := g.d.light(zone)
	box := rect{g.pixel(s.Begin), g.y0, g.pixel(s.End), g.y1}
	g.least += 4
	if box.width() > 3*g.em {
		box.x1 -= max(1, draw.Snap(g.em))
	}
	box.x1 = max(box.x1, box.x0+1)
	col, ink := look.color, onColor
	if look.idle {
		col, ink = idleGround, g.TextNormal
	}
	if how == dimmed {
		col, ink = mute(g.canvas, col), g.TextDim
	}
	if box.width() < g.fine.round || !g.whole {
		g.Rect(box.x0, box.y0, box.x1, box.y1, col)
	} else {
		g.Round(box.x0, box.y0, box.x1, box.y1, 3*g.em, col)
		g.Rect(box.x0+3*g.em, box.y0, box.x1-3*g.em, box.y0+max(1, draw.Snap(g.em)), draw.Fade(white, 0.18))
		g.torn(box, i)
	}
	if g.data.isFound(g.found, g.row, i) {
		g.Border(box.x0, box.y0, max(box.x1, box.x0+3*g.em), box.y1, min(3*g.em, box.width()/2), g.Accent)
	} else if how == lit && box.width() >= 4*g.em {
		g.Border(box.x0, box.y0, box.x1, box.y1, min(3*g.em, box.width()/2), white)
	}
	if box.width() >= g.fine.label && g.whole {
		g.label(box, look.name, s.End-s.Begin, ink)
	}
}

// torn draws teeth at the end of a scope that goes on beyond the recorded time.
func (g *scopeRows) torn(box rect, i int) {
	tooth := max(2, draw.Snap(3*g.em))
	for y := box.y0 + tooth/2; y+tooth <= box.y1; y += 2 * tooth {
		if g.row.Before(i) {
			g.Rect(box.x0, y, box.x0+tooth, y+tooth, g.Surface)
		}
		if g.row.After(i) {
			g.Rect(box.x1-tooth, y, box.x1, y+tooth, g.Surface)
		}
	}
}

// label writes into a scope: the name, and the time if there is room for both.
func (g *scopeRows) label(box rect, name string, ms float64, ink color.NRGBA) {
	room := box.width() - 10*g.em
	if room < 46*g.em && g.Width(draw.FaceSmall, name[:min(len(name), 16)]) > room {
		return // one letter and an ellipsis are no help
	}
	written := g.left(box.x0+5*g.em, room, box, draw.FaceSmall, name, ink)
	g.buffer = appendShort(g.buffer[:0], ms, g.precision)
	if number := g.ASCIIWidth(draw.FaceSmall, g.buffer); written+number+10*g.em <= room {
		y := g.baseline(box.y0, box.y1, draw.FaceSmall)
		g.ASCIIRight(box.x1-5*g.em, y, draw.FaceSmall, g.buffer, draw.Fade(ink, 0.8))
	}
}

// mostLit is the number of scopes in a row up to which each thin scope of the zone under the mouse is lit. Of more,
// only smears in the zone's colour are.
const mostLit = 1 << 12

// lit draws the thin scopes from..to-1 of zones that are lit over the smears.
func (g *scopeRows) lit(from, to int, thin float64) {
	next, wide := math.Inf(-1), max(1, draw.Snap(g.fine.thin/2))
	for i := from; i < to && to-from <= mostLit && len(g.V) < g.limit; i++ {
		s := &g.row.At[i]
		if g.d.light(g.row.Zone(i)) != lit || s.Begin < next || s.End-s.Begin >= thin {
			continue
		}
		x, look := g.pixel(s.Begin), g.data.look(g.canvas, g.d, g.row.Zone(i))
		g.Rect(x, g.y0, min(x+wide, g.in.x1), g.y1, draw.Mix(look.color, white, 0.25))
		next = s.Begin + thin
	}
}

// appendShort appends a time in ms. It adds decimals, up to four, if the time would otherwise show too few digits.
func appendShort(b []byte, ms float64, decimals int) []byte {
	for least := 0.5; decimals < 4 && ms > 0 && ms < least*10/math.Pow10(decimals); {
		decimals++
	}
	return draw.AppendFixed(b, ms, decimals)
}
