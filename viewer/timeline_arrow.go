package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// arrow leads from the lane that ended a wait to the lane that waited.
type arrow struct {
	from, to process.LaneID
	x        float32
	y0, y1   float32 // the upper and the lower edge of what waited
	at       float64 // the end of the wait on the axis of the rows, ms
}

// pointAt makes the arrow of the scope under the mouse, if it waited for something that another lane did.
func (g *bandPainter) pointAt() {
	if g.d.hover.Kind != HitTimeline || !g.hover.here || g.t.bands.arrow.from != 0 {
		return
	}
	h := hitOf(HitTimeline, 0)
	if g.t.under(&h, g.hover.x, g.hover.y); h.row == nil {
		return
	}
	s := h.row.At[h.Index]
	q := g.t.data.EndedWait(h.Lane, s.Begin, s.End)
	if q == nil {
		return
	}
	for i := range g.t.bands.laid {
		if r := &g.t.bands.laid[i]; r.TimelineRow == h.row {
			g.t.bands.arrow = arrow{q.Waker, h.Lane, g.place(q.TimelineSpan.End), r.y, r.y + g.rowHeight(),
				q.TimelineSpan.End}
		}
	}
}

// waker returns the place of the innermost scope that was open when a wait was ended, on the lane that ended it.
func (g *bandPainter) waker(a *arrow) (scope rect, ok bool) {
	for i := range g.t.bands.laid {
		r := &g.t.bands.laid[i]
		if r.lane != a.from {
			continue
		}
		at := r.Ending(a.at)
		if at >= len(r.At) || r.At[at].Begin > a.at {
			if at == r.From || a.at-r.At[at-1].End > 0 {
				continue
			}
			at-- // it ended just then
		}
		scope = rect{g.place(r.At[at].Begin), r.y, g.place(r.At[at].End), r.y + g.rowHeight()}
		ok = true
	}
	return scope, ok
}

// drawArrow draws the arrow of the state or of the scope under the mouse, and a border around the scope that ended the
// wait. Where none was open then, or its lane is in a folded group, the arrow comes from the lane's band.
func (g *bandPainter) drawArrow() {
	g.pointAt()
	a := g.t.bands.arrow
	if a.from == 0 || a.x < g.in.x0 || a.x > g.in.x1 {
		return
	}
	y, known := g.t.bands.tops[a.from]
	if scope, ok := g.waker(&a); ok && scope.y1 > g.in.y0 && scope.y0 < g.in.y1 {
		g.Border(scope.x0, scope.y0, max(scope.x1, scope.x0+3*g.em), scope.y1, 2*g.em, g.TextBright)
		y, known = (scope.y0+scope.y1)/2, true
	}
	if !known {
		return
	}
	end, icon := a.y1, draw.IconUp
	if y < a.y0 {
		end, icon = a.y0, draw.IconDown
	}
	side := g.IconSize()
	g.Rect(a.x-g.em/2, min(y, end), a.x+g.em/2, max(y, end), g.TextBright)
	g.Round(a.x-2*g.em, y-2*g.em, a.x+2*g.em, y+2*g.em, 2*g.em, g.TextBright)
	g.Icon(icon, a.x-side/2, end-side/2, g.TextBright)
}

// rowHeight returns the height of a scope in pixels.
func (g *bandPainter) rowHeight() float32 { return scopeRowHeight*g.em - max(1, draw.Snap(g.em)) }

// groupTops notes where the band of a folded group is, for the arrows from its lanes.
func (g *bandPainter) groupTops(of *process.TimelineGroup, y float32) {
	for i := range g.t.data.Bands {
		if b := &g.t.data.Bands[i]; len(b.States) > 0 && g.t.data.GroupOf(b) == of {
			g.t.bands.tops[b.ID] = y
		}
	}
}
