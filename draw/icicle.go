package draw

import (
	"image/color"
	"math"

	"example.com/iprof/process"
)

// icicleDepth is how many levels of calls the call structure shows under the frame.
const icicleDepth = 4

// icicleRows is how many rows the call structure needs: the frame, and the levels below it.
func icicleRows(d *shown) int { return min(max(treeLevels(d), 2), icicleDepth) }

// treeLevels is how many levels there are, with the frame's own.
func treeLevels(d *shown) int {
	deepest := -1
	for i := range d.tree {
		deepest = max(deepest, int(d.tree[i].Level))
	}
	rows := deepest + 2
	if rootIsFrame(d.tree) {
		rows--
	}
	return rows
}

// rootIsFrame reports whether the tree hangs on the implicit root zone, which is the frame itself.
func rootIsFrame(t []process.TreeNode) bool {
	if len(t) == 0 || t[0].Zone != 0 {
		return false
	}
	for i := 1; i < len(t); i++ {
		if t[i].Level == 0 {
			return false
		}
	}
	return true
}

// icicle draws one call structure.
type icicle struct {
	*canvas
	d       *shown
	view    *iceView
	in      rect
	top     float32
	rows    int
	down    int32       // levels above the upper edge
	shift   int32       // levels that the frame's own row stands for
	frame   float64     // ms
	below   float64     // ms of the calls in it
	perMs   float32     // pixels
	next    [64]float32 // by level: where the next bar begins
	skipped float32     // end of the last bar that was too thin, as a smear
	over    int32
}

// drawIcicle draws what called what in the frame: each bar as wide as its hierarchical time, callees below their caller.
func drawIcicle(c *canvas, d *shown, v *iceView, r rect) {
	if r.height() < 30*c.em {
		return
	}
	in := c.card(r)
	head := rect{in.x0, in.y0, in.x1, in.y0 + 15*c.em}
	c.add(r, hitOf(HitStructure, 0))
	of := "call structure of frame "
	c.buffer = appendFixed(c.buffer[:0], float64(d.info.Index), 0)
	if d.info.Lens.Kind != process.LensOff {
		of = "call structure, mean of "
		c.buffer = append(appendFixed(c.buffer[:0], float64(d.info.LensFrames), 0), " frames"...)
	}
	x := in.x0 + c.left(in.x0, in.width(), head, FaceSmall, of, c.textFaint)
	x += c.ascii(x, c.baseline(head.y0, head.y1, FaceSmall), FaceSmall, c.buffer, c.textNormal)
	end := in.x1 - c.right(in.x1, head, FaceSmall, " ms", c.textFaint)
	end -= c.number(end, head, FaceSmall, d.info.Length, c.precision, c.textNormal) + 14*c.em
	end = c.button(end, x+20*c.em, head, "timeline", "timeline")
	g := icicle{canvas: c, d: d, view: v, in: in, top: snap(head.y1 + 4*c.em), over: d.zoneUnderMouse()}
	g.measure()
	if beside := ", goroutines side by side"; g.below > 1.001*g.frame && x+c.Width(FaceSmall, beside) <= end {
		x += c.left(x, end-x, head, FaceSmall, beside, c.textFaint)
	}
	g.rows = int((in.y1 - g.top + 3*c.em) / (iceRow * c.em))
	v.in, v.rows, v.levels = rect{in.x0, g.top, in.x1, g.top + float32(g.rows)*iceRow*c.em}, g.rows, treeLevels(d)
	v.ease()
	v.drawSight(c, head, x, end)
	g.draw()
}

// measure says how long the frame is, and the calls below it: longer, where goroutines ran at the same time.
func (g *icicle) measure() {
	g.frame, g.shift = g.d.info.Length, -1
	if rootIsFrame(g.d.tree) {
		g.frame, g.shift = g.d.tree[0].Hier, 0
	}
	for i := range g.d.tree {
		if n := &g.d.tree[i]; n.Level == g.shift+1 {
			g.below += n.Hier
		}
	}
}

func (g *icicle) draw() {
	g.view.widest = max(g.below, g.frame)
	if g.view.widest > 0 {
		g.perMs = g.in.width() / float32(g.view.widest*g.view.at.wide)
	}
	left := g.in.x0 - float32(g.view.at.from*g.view.widest)*g.perMs
	g.down = int32(math.Round(g.view.down))
	if g.down == 0 {
		g.bar(rect{left, g.top, left + float32(max(g.frame, 0))*g.perMs, g.top + iceRow*g.em}, "", "frame", g.frame, g.grey, false)
	}
	for i := range g.next {
		g.next[i] = left
	}
	for i := range g.d.tree {
		g.node(&g.d.tree[i])
	}
}

// node draws a bar for a path. Its children begin where it does.
func (g *icicle) node(n *process.TreeNode) {
	if n.Level < 0 || int(n.Level)+1 >= len(g.next) {
		return
	}
	x0 := g.next[n.Level]
	x1 := x0 + float32(n.Hier)*g.perMs
	g.next[n.Level], g.next[n.Level+1] = x1, x0
	row := int(n.Level - g.shift - g.down)
	if n.Level == g.shift || row < 0 || row >= g.rows || x1 < g.in.x0 || x0 > g.in.x1 {
		return
	}
	y := g.top + float32(row)*iceRow*g.em
	box := rect{max(x0, g.in.x0), y, min(x1, g.in.x1), y + iceRow*g.em}
	if snap(box.x1)-snap(box.x0) < 2*g.em {
		g.smear(box)
		return
	}
	zone := g.d.source.Zone(n.Zone)
	g.bar(box, n.Estimated.Sign(), zone.Name, n.Hier, g.colorOf(zone.Name, n.Idle), n.Zone == g.over)
	g.add(box, Hit{Kind: HitIcicle, Zone: n.Zone, Path: n.Path})
	g.explainBar(box, n, zone.Name)
}

// smear stands for bars too thin to be seen: as one grey line, each pixel once.
func (g *icicle) smear(box rect) {
	x0 := max(box.x0, g.skipped)
	if box.y0 == g.top || box.x1-x0 < 0.5 && x0 == g.skipped {
		return
	}
	g.Rect(x0, box.y0+6*g.em, max(box.x1, x0+1), box.y1-7*g.em, fade(g.grey, 0.5))
	g.skipped = box.x1
}

// bar draws one bar with its name and time, as far as they fit.
func (g *icicle) bar(box rect, sign, name string, ms float64, col color.NRGBA, lit bool) {
	box.x0, box.x1 = max(box.x0, g.in.x0), min(box.x1, g.in.x1)
	box = rect{snap(box.x0), snap(box.y0), snap(box.x1) - max(1, snap(g.em)), snap(box.y1) - max(1, snap(g.em))}
	if box.x1 <= box.x0 {
		box.x1 = box.x0 + 1
	}
	ink := onColor
	switch {
	case col == g.grey:
		col, ink = color.NRGBA{62, 72, 85, 255}, g.textBright
	case g.over >= 0 && !lit:
		col = mix(col, g.surface, 0.55)
	}
	g.Round(box.x0, box.y0, box.x1, box.y1, 3*g.em, col)
	if box.width() > 8*g.em {
		g.Rect(box.x0+3*g.em, box.y0, box.x1-3*g.em, box.y0+max(1, snap(g.em)), fade(white, 0.18))
	}
	if lit {
		g.Border(box.x0, box.y0, box.x1, box.y1, 3*g.em, white)
	}
	g.label(box, sign, name, ms, ink)
}

// label writes into a bar: the name, and the time if there is room for both.
func (g *icicle) label(box rect, sign, name string, ms float64, ink color.NRGBA) {
	room := box.width() - 12*g.em
	if room < 24*g.em || room < 46*g.em && g.Width(FaceSmall, name[:min(len(name), 16)]) > room {
		return // a letter and an ellipsis tell nothing
	}
	written := g.signed(box.x0+6*g.em, room, box, FaceSmall, sign, name, ink)
	g.buffer = appendFixed(g.buffer[:0], ms, g.precision)
	if number := g.asciiWidth(FaceSmall, g.buffer); written+number+10*g.em <= room {
		g.asciiRight(box.x1-6*g.em, g.baseline(box.y0, box.y1, FaceSmall), FaceSmall, g.buffer, fade(ink, 0.8))
	}
}
