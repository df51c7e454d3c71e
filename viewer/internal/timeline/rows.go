package timeline

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// scopeRowHeight is the least height of a level in nominal pixels, and mostRowHeight the greatest: bands grow into free
// room.
const scopeRowHeight, mostRowHeight = draw.ThinBar + 1, 22

// mostScopeQuads is the greatest number of quads of all scopes. Beyond it scopes are drawn in less detail.
const mostScopeQuads = 6400

// detail is a level of detail for drawing scopes. Lengths are in nominal pixels.
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
	*canvas.Canvas
	d          *scene.Scene
	data       *timelineData
	view       *timeView
	in         canvas.Rect
	hoverZone  report.ZoneID
	match      *occurrence
	fine       detail
	limit      int // length of the list's vertices that ends the drawing
	vertices   int // vertices of the smears and scopes so far, the same for every detail with the same thin
	row        *timeline.Row
	origin     float64     // time at the left edge on the axis of the rows, ms
	perMs      float64     // pixels per ms
	y0, y1     float32     // the part of the current row that is in sight
	rowInSight bool        // the whole current row is in sight
	smear      canvas.Rect // thin scopes not yet drawn
	tint       color.NRGBA
	level      float32 // height of a level in pixels
}

// draw draws the rows in the finest detail that stays within the limit.
func (g *scopeRows) draw(rows []laidRow) {
	start := len(g.V)
	g.limit = start + 4*mostScopeQuads
	g.origin, g.perMs = g.data.Origin+g.view.ms(g.in.X0), float64(g.in.Width())/g.view.at.Wide
	for i, fine := range details {
		if i > 0 && fine.thin == details[i-1].thin && start+g.vertices >= g.limit {
			continue
		}
		g.fine = detail{fine.thin * g.Em, fine.round * g.Em, fine.label * g.Em}
		g.V, g.vertices = g.V[:start], 0
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
		return g.in.X0
	case x >= float64(g.in.X1-g.in.X0):
		return g.in.X1
	default:
		return g.in.X0 + float32(int(x+0.5))
	}
}

// drawRow draws the visible scopes of one level. It draws wide scopes one by one, and thin ones together.
func (g *scopeRows) drawRow(r *laidRow) {
	g.row = r.Row
	g.y0, g.y1 = max(r.y, r.top), min(r.y+g.rowHeight(), g.in.Y1)
	g.rowInSight = g.y1-g.y0 == g.rowHeight()
	if g.y1 <= g.y0 {
		return
	}
	at := r.At
	begin, end := g.origin, g.data.Origin+g.view.ms(g.in.X1)
	i := r.Ending(begin)
	first := i
	thin := float64(g.fine.thin/g.in.Width()) * (end - begin) // ms
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
	if g.hoverZone >= 0 || g.d.Found.Any {
		g.drawLit(first, i, thin)
	}
}

// gallop returns the first scope from i on that does not begin before a time. It is fast if the result is about
// i+guess.
func gallop(at []timeline.Interval, i, guess int, begin float64) int {
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
	if x0 < g.smear.X1 {
		x0 = g.smear.X1
		if x1 <= x0 && to-from == 1 {
			return // another smear covers its pixel
		}
		if x1 < x0+1 {
			x1 = x0 + 1
		}
	}
	sum, longest := g.row.Together(from, to)
	look := g.data.look(g.Canvas, g.d, g.row.Zone(longest))
	strength := strengthOf(sum / cell)
	col := look.shades[strength]
	if g.d.Light(g.row.Zone(longest)) == scene.Dimmed {
		col = look.muted[strength]
	}
	if g.tint == col && x0 == g.smear.X1 {
		g.smear.X1 = x1
		return
	}
	g.flush()
	g.smear, g.tint = canvas.Box(x0, g.y0, x1, g.y1), col
}

// flush draws the smear gathered by thin.
func (g *scopeRows) flush() {
	if r := g.smear; r.X1 > r.X0 {
		g.Fill(r.X0, r.Y0, r.X1, r.Y1, g.tint)
		g.vertices += 4
	}
	g.smear = canvas.Rect{}
}

// rowHeight returns the height of a scope in pixels.
func (g *scopeRows) rowHeight() float32 { return g.level - max(1, draw.Snap(g.Em)) }

// scope draws one scope with its name and time if they fit.
func (g *scopeRows) scope(i int) {
	s, zone := g.row.At[i], g.row.Zone(i)
	look := g.data.look(g.Canvas, g.d, zone)
	how := g.d.Light(zone)
	box := canvas.Box(g.pixel(s.Begin), g.y0, g.pixel(s.End), g.y1)
	g.vertices += 4
	if box.Width() > 3*g.Em {
		box.X1 -= max(1, draw.Snap(g.Em))
	}
	box.X1 = max(box.X1, box.X0+1)
	col, ink := look.color, canvas.InkOn(look.color)
	if look.idle {
		col, ink = g.Idle, g.TextNormal
	}
	if how == scene.Dimmed {
		col, ink = canvas.Mute(g.Canvas, col), g.TextNormal
	}
	if box.Width() < g.fine.round || !g.rowInSight {
		g.Rect(box.X0, box.Y0, box.X1, box.Y1, col)
	} else {
		g.Round(box.X0, box.Y0, box.X1, box.Y1, 3*g.Em, col)
		g.Rect(box.X0+3*g.Em, box.Y0, box.X1-3*g.Em, box.Y0+max(1, draw.Snap(g.Em)), draw.Fade(g.Strong, 0.18))
		g.torn(box, i)
	}
	if look.idle && box.Width() > 20*g.Em {
		g.Hatch(box, g.in.X0, g.in.X1)
	}
	if g.data.isFound(g.match, g.row, i) {
		g.Border(box.X0, box.Y0, max(box.X1, box.X0+3*g.Em), box.Y1, min(3*g.Em, box.Width()/2), g.Accent)
	} else if how == scene.Lit && box.Width() >= 4*g.Em {
		g.Border(box.X0, box.Y0, box.X1, box.Y1, min(3*g.Em, box.Width()/2), g.Strong)
	}
	if box.Width() >= g.fine.label && g.rowInSight {
		g.label(box, look.name, s.End-s.Begin, ink, g.row.Remark(i))
	}
}

// torn draws teeth at the end of a scope that goes on beyond the recorded time.
func (g *scopeRows) torn(box canvas.Rect, i int) {
	tooth := max(2, draw.Snap(3*g.Em))
	for y := box.Y0 + tooth/2; y+tooth <= box.Y1; y += 2 * tooth {
		if g.row.Before(i) {
			g.Rect(box.X0, y, box.X0+tooth, y+tooth, g.Surface)
		}
		if g.row.After(i) {
			g.Rect(box.X1-tooth, y, box.X1, y+tooth, g.Surface)
		}
	}
}

// label writes into a scope: the name, the time if there is room for both, and its remark between them.
func (g *scopeRows) label(box canvas.Rect, name string, ms float64, ink color.NRGBA, said *report.Remark) {
	room := box.Width() - 10*g.Em
	if room < 46*g.Em && g.Width(draw.FaceSmall, name[:min(len(name), 16)]) > room {
		return // one letter and an ellipsis are no help
	}
	written := g.Left(box.X0+5*g.Em, room, box, draw.FaceSmall, name, ink)
	g.Buffer = appendShort(g.Buffer[:0], ms, g.Precision, g.data.tick)
	if number := g.ASCIIWidth(draw.FaceSmall, g.Buffer); written+number+10*g.Em <= room {
		y := g.Baseline(box.Y0, box.Y1, draw.FaceSmall)
		g.ASCIIRight(box.X1-5*g.Em, y, draw.FaceSmall, g.Buffer, ink)
		if room -= written + number + 20*g.Em; said != nil && room > 30*g.Em {
			g.Left(box.X0+13*g.Em+written, room, box, draw.FaceSmall, said.Text, ink)
		}
	}
}

// mostLit is the greatest number of scopes in a row with each thin scope of the zone under the mouse lit. In longer
// rows only smears of the zone's colour are lit.
const mostLit = 1 << 12

// drawLit draws the thin scopes from..to-1 of lit zones over the smears.
func (g *scopeRows) drawLit(from, to int, thin float64) {
	next, wide := math.Inf(-1), max(1, draw.Snap(g.fine.thin/2))
	for i := from; i < to && to-from <= mostLit && len(g.V) < g.limit; i++ {
		s := &g.row.At[i]
		if g.d.Light(g.row.Zone(i)) != scene.Lit || s.Begin < next || s.End-s.Begin >= thin {
			continue
		}
		x, look := g.pixel(s.Begin), g.data.look(g.Canvas, g.d, g.row.Zone(i))
		g.Rect(x, g.y0, min(x+wide, g.in.X1), g.y1, draw.Mix(look.color, g.Strong, 0.25))
		next = s.Begin + thin
	}
}

// appendShort appends a time in ms, with the unit if it is another. It adds decimals, up to four, if the time would
// otherwise show too few digits. It leaves out decimals below the clock's resolution.
func appendShort(b []byte, ms float64, decimals int, tick float64) []byte {
	return draw.AppendMilliseconds(b, ms, shortDecimals(ms, decimals, tick))
}

// appendUnit is appendShort, always with the unit.
func appendUnit(b []byte, ms float64, decimals int, tick float64) []byte {
	return draw.AppendTime(b, ms, shortDecimals(ms, decimals, tick))
}

func shortDecimals(ms float64, decimals int, tick float64) int {
	for least := 0.5; decimals < 4 && ms > 0 && ms < least*10/math.Pow10(decimals); {
		decimals++
	}
	return report.Decimals(decimals, 1, tick)
}
