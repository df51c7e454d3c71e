package draw

import (
	"image/color"
	"math"
	"sort"
)

// scopeRowHeight is the height of a level in nominal pixels.
const scopeRowHeight = 18

// mostScopeQuads is how many quads the scopes may take. If they would take more, they are drawn in less detail.
const mostScopeQuads = 6400

// detail is how finely scopes are drawn, lengths in nominal pixels.
type detail struct {
	thin  float32 // what is not as wide is drawn together with its neighbours
	round float32 // from this width on corners are round
	label float32 // from this width on there are words
}

// details are tried in this order.
var details = [...]detail{
	{2, 8, 24}, {2, 24, 60}, {3, 80, 120}, {4, 1e9, 200}, {6, 1e9, 300}, {10, 1e9, 1e9}, {20, 1e9, 1e9},
}

// scopeRows draws the rows of a timeline.
type scopeRows struct {
	*canvas
	d      *shown
	data   *timelineData
	view   *timeView
	in     rect
	over   int32
	fine   detail
	limit  int     // vertices
	least  int     // vertices that the smears and scopes so far take in any detail of the same thinness
	origin float64 // ms at the left edge
	perMs  float64 // pixels
	y0, y1 float32 // of the row that is being drawn, as far as it is in sight
	whole  bool    // all of it is
	smear  rect
	tint   color.NRGBA
}

// draw draws the rows in as much detail as there is room for.
func (g *scopeRows) draw(rows []laidRow) {
	start := len(g.V)
	g.limit = start + 4*mostScopeQuads
	g.origin, g.perMs = g.view.ms(g.in.x0), float64(g.in.width())/(g.view.at.wide*g.view.length)
	if g.over >= 0 {
		g.data.lightUp(g.over)
	}
	for i, fine := range details {
		if i > 0 && fine.thin == details[i-1].thin && start+g.least >= g.limit {
			continue
		}
		g.fine = detail{fine.thin * g.em, fine.round * g.em, fine.label * g.em}
		g.V, g.least = g.V[:start], 0
		for i := range rows {
			g.row(&rows[i])
		}
		if len(g.V) < g.limit {
			return
		}
	}
	g.V = g.V[:min(len(g.V), g.limit)]
}

// pixel is the edge of a pixel nearest to a time, within what is in sight.
func (g *scopeRows) pixel(ms float64) float32 {
	switch x := (ms - g.origin) * g.perMs; {
	case !(x > 0): // nor is what is no number
		return g.in.x0
	case x >= float64(g.in.x1-g.in.x0):
		return g.in.x1
	default:
		return g.in.x0 + float32(int(x+0.5))
	}
}

// row draws the scopes of one level that are in sight: each that is wide enough, and together those that are not.
func (g *scopeRows) row(r *laidRow) {
	g.y0, g.y1 = max(r.y, g.in.y0), min(r.y+g.rowHeight(), g.in.y1)
	g.whole = g.y1-g.y0 == g.rowHeight()
	if g.y1 <= g.y0 {
		return
	}
	at := g.data.at[r.from:r.to]
	begin, end := g.origin, g.view.ms(g.in.x1)
	i := sort.Search(len(at), func(i int) bool { return at[i].end > begin })
	thin := float64(g.fine.thin/g.in.width()) * (end - begin) // ms
	hint := 1                                                 // how many scopes the cell before had
	for i < len(at) && at[i].begin < end && len(g.V) < g.limit {
		s := &at[i]
		if s.end-s.begin >= thin {
			g.flush()
			g.scope(int(r.from) + i)
			i++
			continue
		}
		cell := (math.Floor(s.begin/thin) + 1) * thin // the same cells wherever the time is moved to
		to := gallop(at, i+1, hint, cell)
		hint = to - i - 1
		if last := &at[to-1]; to-1 > i && last.end-last.begin >= thin {
			to--
		}
		g.thin(int(r.from)+i, int(r.from)+to, thin)
		i = to
	}
	g.flush()
	if g.over >= 0 {
		g.lit(r.scopeRow, begin, end, thin)
	}
}

// gallop finds the first scope from i on that does not begin before a time. It is about as many further as was guessed.
func gallop(at []times, i, guess int, begin float64) int {
	low, high := i, len(at) // those below low begin before, those from high on do not
	switch g := min(i+guess, high-1); {
	case g < low:
	case at[g].begin < begin:
		low = g + 1
		for step := 1; low < high; step *= 2 {
			p := min(low+step, high) - 1
			if at[p].begin >= begin {
				high = p
				break
			}
			low = p + 1
		}
	default:
		high = g
		for step := 1; low < high; step *= 2 {
			p := max(high-step, low)
			if at[p].begin < begin {
				low = p + 1
				break
			}
			high = p
		}
	}
	for low < high {
		if p := (low + high) / 2; at[p].begin < begin {
			low = p + 1
		} else {
			high = p
		}
	}
	return low
}

// thin draws scopes too thin to be seen as one, in the colour of the longest: the stronger, the more of the time is theirs.
func (g *scopeRows) thin(from, to int, cell float64) {
	at := g.data.at
	x0, x1 := g.pixel(at[from].begin), g.pixel(at[to-1].end)
	if x1 < x0+1 {
		x1 = x0 + 1
	}
	if x0 < g.smear.x1 {
		if x0 = g.smear.x1; x1 <= x0 && to-from == 1 {
			return // its pixel is taken
		}
		if x1 < x0+1 {
			x1 = x0 + 1
		}
	}
	all := g.data.together(from, to)
	look := g.data.look(g.canvas, g.d, g.data.zones[all.longest])
	strength := strengthOf(all.sum / cell)
	col := look.shades[strength]
	if g.over >= 0 {
		col = look.muted[strength]
	}
	if g.tint == col && x0 == g.smear.x1 {
		g.smear.x1 = x1
		return
	}
	g.flush()
	g.smear, g.tint = rect{x0, g.y0, x1, g.y1}, col
}

// flush draws the smear that was gathered.
func (g *scopeRows) flush() {
	if r := g.smear; r.x1 > r.x0 {
		white := g.atlas().white
		g.quad(r.x0, r.y0, r.x1, r.y1, white, white, g.tint)
		g.least += 4
	}
	g.smear = rect{}
}

// rowHeight is the height of a scope in pixels.
func (g *scopeRows) rowHeight() float32 { return snap(scopeRowHeight*g.em) - max(1, snap(g.em)) }

// scope draws one scope with its name and time, as far as they fit.
func (g *scopeRows) scope(i int) {
	s, zone := g.data.at[i], g.data.zones[i]
	look := g.data.look(g.canvas, g.d, zone)
	lit := g.over == int32(zone&zoneMask)
	box := rect{g.pixel(s.begin), g.y0, g.pixel(s.end), g.y1}
	g.least += 4
	if box.width() > 3*g.em {
		box.x1 -= max(1, snap(g.em))
	}
	box.x1 = max(box.x1, box.x0+1)
	muted := g.over >= 0 && !lit
	col, ink := look.color, onColor
	if look.idle {
		col, ink = idleGround, g.textNormal
	}
	if muted {
		col, ink = mute(g.canvas, col), g.textDim
	}
	if box.width() < g.fine.round || !g.whole {
		g.Rect(box.x0, box.y0, box.x1, box.y1, col)
	} else {
		g.Round(box.x0, box.y0, box.x1, box.y1, 3*g.em, col)
		g.Rect(box.x0+3*g.em, box.y0, box.x1-3*g.em, box.y0+max(1, snap(g.em)), fade(white, 0.18))
		g.torn(box, zone)
	}
	if lit && box.width() >= 4*g.em {
		g.Border(box.x0, box.y0, box.x1, box.y1, min(3*g.em, box.width()/2), white)
	}
	if box.width() >= g.fine.label && g.whole {
		g.label(box, look.name, s.end-s.begin, ink)
	}
}

// idleGround is the colour of scopes that wait.
var idleGround = color.NRGBA{62, 72, 85, 255}

// torn gives a scope that goes on beyond what is told a toothed end there.
func (g *scopeRows) torn(box rect, zone uint32) {
	tooth := max(2, snap(3*g.em))
	for y := box.y0 + tooth/2; y+tooth <= box.y1; y += 2 * tooth {
		if zone&cutBefore != 0 {
			g.Rect(box.x0, y, box.x0+tooth, y+tooth, g.surface)
		}
		if zone&cutAfter != 0 {
			g.Rect(box.x1-tooth, y, box.x1, y+tooth, g.surface)
		}
	}
}

// label writes into a scope: the name, and the time if there is room for both.
func (g *scopeRows) label(box rect, name string, ms float64, ink color.NRGBA) {
	room := box.width() - 10*g.em
	if room < 46*g.em && g.Width(FaceSmall, name[:min(len(name), 16)]) > room {
		return // a letter and an ellipsis tell nothing
	}
	written := g.left(box.x0+5*g.em, room, box, FaceSmall, name, ink)
	g.buffer = appendShort(g.buffer[:0], ms, g.precision)
	if number := g.asciiWidth(FaceSmall, g.buffer); written+number+10*g.em <= room {
		g.asciiRight(box.x1-5*g.em, g.baseline(box.y0, box.y1, FaceSmall), FaceSmall, g.buffer, fade(ink, 0.8))
	}
}

// lit draws the scopes of the zone under the mouse that are too thin to be seen among others over these.
func (g *scopeRows) lit(r scopeRow, begin, end, thin float64) {
	lit := g.data.lit
	i := sort.Search(len(lit), func(i int) bool { return lit[i] >= r.from })
	i += sort.Search(len(lit)-i, func(k int) bool { return lit[i+k] >= r.to || g.data.at[lit[i+k]].end > begin })
	for i < len(lit) && lit[i] < r.to && len(g.V) < g.limit {
		s := &g.data.at[lit[i]]
		if s.begin >= end {
			break
		}
		if s.end-s.begin >= thin {
			i++
			continue
		}
		x := g.pixel(s.begin)
		wide := max(1, snap(g.fine.thin/2))
		g.Rect(x, g.y0, min(x+wide, g.in.x1), g.y1, mix(g.data.look(g.canvas, g.d, g.data.zones[lit[i]]).color, white, 0.25))
		next := s.begin + thin
		rest := lit[i+1:]
		i += 1 + sort.Search(len(rest), func(k int) bool { return rest[k] >= r.to || g.data.at[rest[k]].begin >= next })
	}
}

// appendShort appends a time in ms, with more decimals where those asked for would show nothing.
func appendShort(b []byte, ms float64, decimals int) []byte {
	for least := 0.5; decimals < 4 && ms > 0 && ms < least*10/powers[decimals]; {
		decimals++
	}
	return appendFixed(b, ms, decimals)
}
