package viewer

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// scopeRowHeight is the height of a level in nominal pixels.
const scopeRowHeight = draw.ThinBar + 1

// mostScopeQuads is the greatest number of quads of all scopes. If scopes would need more, they are drawn in less
// detail.
const mostScopeQuads = 6400

// detail is how finely scopes are drawn. Lengths are in nominal pixels.
type detail struct {
	thin  float32 // narrower scopes are drawn together with their neighbours
	round float32 // scopes of this width have round corners
	label float32 // scopes of this width have words
}

// details are the levels of detail, the finest first.
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
	over   process.ZoneID
	found  *occurrence
	fine   detail
	limit  int // length of the list's vertices that ends the drawing
	least  int // vertices that the smears and scopes so far need in every detail of the same thin
	row    *process.TimelineRow
	origin float64 // time at the left edge on the axis of the rows, ms
	perMs  float64 // pixels per ms
	y0, y1 float32 // the part of the current row that is in sight
	whole  bool    // the whole current row is in sight
	smear  rect    // thin scopes that are not drawn yet
	tint   color.NRGBA
}

// draw draws the rows in the finest detail that stays within the limit.
func (g *scopeRows) draw(rows []laidRow) {
	start := len(g.V)
	g.limit = start + 4*mostScopeQuads
	g.origin, g.perMs = g.data.Origin+g.view.ms(g.in.x0), float64(g.in.width())/g.view.at.wide
	for i, fine := range details {
		if i > 0 && fine.thin == details[i-1].thin && start+g.least >= g.limit {
			continue
		}
		g.fine = detail{fine.thin * g.em, fine.round * g.em, fine.label * g.em}
		g.V, g.least = g.V[:start], 0
		for i := range rows {
			g.drawRow(&rows[i])
		}
		if len(g.V) < g.limit {
			return
		}
	}
	g.V = g.V[:min(len(g.V), g.limit)]
}

// pixel returns the pixel edge nearest to a time, clamped to the part in sight.
func (g *scopeRows) pixel(ms float64) float32 {
	switch x := (ms - g.origin) * g.perMs; {
	case !(x > 0): // also for NaN
		return g.in.x0
	case x >= float64(g.in.x1-g.in.x0):
		return g.in.x1
	default:
		return g.in.x0 + float32(int(x+0.5))
	}
}

// drawRow draws the scopes of one level that are in sight. Wide scopes are drawn singly, thin ones together.
func (g *scopeRows) drawRow(r *laidRow) {
	g.row = r.TimelineRow
	g.y0, g.y1 = max(r.y, g.in.y0), min(r.y+g.rowHeight(), g.in.y1)
	g.whole = g.y1-g.y0 == g.rowHeight()
	if g.y1 <= g.y0 {
		return
	}
	at := r.At
	begin, end := g.origin, g.data.Origin+g.view.ms(g.in.x1)
	i := r.Ending(begin)
	first := i
	thin := float64(g.fine.thin/g.in.width()) * (end - begin) // ms
	hint := 1                                                 // number of scopes in the last cell
	for i < len(at) && at[i].Begin < end && len(g.V) < g.limit {
		s := &at[i]
		if s.End-s.Begin >= thin {
			g.flush()
			g.scope(i)
			i++
			continue
		}
		cell := (math.Floor(s.Begin/thin) + 1) * thin // cells do not change when the time is panned
		to := gallop(at, i+1, hint, cell)
		hint = to - i - 1
		if last := &at[to-1]; to-1 > i && last.End-last.Begin >= thin {
			to--
		}
		g.thin(i, to, thin)
		i = to
	}
	g.flush()
	if g.over >= 0 || g.d.found.any {
		g.lit(first, i, thin)
	}
}

// gallop returns the first scope from i on that does not begin before a time. It is fast if the result is about
// i+guess.
func gallop(at []process.TimelineSpan, i, guess int, begin float64) int {
	low, high := i, len(at) // scopes below low begin before; scopes from high on do not
	switch g := min(i+guess, high-1); {
	case g < low:
	case at[g].Begin < begin:
		low = g + 1
		for step := 1; low < high; step *= 2 {
			p := min(low+step, high) - 1
			if at[p].Begin >= begin {
				high = p
				break
			}
			low = p + 1
		}
	default:
		high = g
		for step := 1; low < high; step *= 2 {
			p := max(high-step, low)
			if at[p].Begin < begin {
				low = p + 1
				break
			}
			high = p
		}
	}
	for low < high {
		if p := (low + high) / 2; at[p].Begin < begin {
			low = p + 1
		} else {
			high = p
		}
	}
	return low
}

// thin draws scopes that are too thin to see as one smear, in the colour of the longest. The smear is stronger if the
// scopes fill more of the time.
func (g *scopeRows) thin(from, to int, cell float64) {
	at := g.row.At
	x0, x1 := g.pixel(at[from].Begin), g.pixel(at[to-1].End)
	if x1 < x0+1 {
		x1 = x0 + 1
	}
	if x0 < g.smear.x1 {
		if x0 = g.smear.x1; x1 <= x0 && to-from == 1 {
			return // another smear covers its pixel
		}
		if x1 < x0+1 {
			x1 = x0 + 1
		}
	}
	sum, longest := g.row.Together(from, to)
	look := g.data.look(g.canvas, g.d, g.row.Zone(longest))
	strength := strengthOf(sum / cell)
	col := look.shades[strength]
	if g.d.light(g.row.Zone(longest)) == dimmed {
		col = look.muted[strength]
	}
	if g.tint == col && x0 == g.smear.x1 {
		g.smear.x1 = x1
		return
	}
	g.flush()
	g.smear, g.tint = rect{x0, g.y0, x1, g.y1}, col
}

// flush draws the smear that thin has gathered.
func (g *scopeRows) flush() {
	if r := g.smear; r.x1 > r.x0 {
		g.Fill(r.x0, r.y0, r.x1, r.y1, g.tint)
		g.least += 4
	}
	g.smear = rect{}
}

// rowHeight returns the height of a scope in pixels.
func (g *scopeRows) rowHeight() float32 {
	return draw.Snap(scopeRowHeight*g.em) - max(1, draw.Snap(g.em))
}

// idleGround is the colour of idle scopes and bars.
var idleGround = color.NRGBA{62, 72, 85, 255}
