package viewer

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// treeLevels returns the number of levels, with the frame's own.
func treeLevels(d *shown) int {
	deepest := -1
	for i := range d.Tree {
		deepest = max(deepest, int(d.Tree[i].Level))
	}
	rows := deepest + 2
	if rootIsFrame(d.Tree) {
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
	d     *shown
	view  *iceView
	in    rect
	top   float32
	rows  int
	down  int32   // number of levels above the upper edge
	shift int32   // level of the frame's own row
	frame float64 // ms
	below float64 // sum of the calls in the frame, ms

	frameWide float64   // width of the frame's bar, in ms of busy time
	perMs     float32   // pixels per ms
	next      []float32 // x where the next bar begins, by level
	skipped   float32   // x where the last smear ends
}

// drawIcicle draws the call structure of the frame. Each bar is as wide as its hierarchical time, and lies below the
// bar of its caller. Only waits are narrower if they would take the room of what worked.
func drawIcicle(c *canvas, d *shown, v *iceView, r rect) {
	if r.height() < 30*c.em {
		return
	}
	in := c.card(r)
	head := rect{in.x0, in.y0, in.x1, in.y0 + 15*c.em}
	c.add(r, hitOf(HitStructure, 0))
	of := "call structure of "
	if d.info.Averaged() {
		of = "call structure, "
	}
	c.buffer = d.appendOf(c.buffer[:0])
	x := in.x0 + c.left(in.x0, in.width(), head, draw.FaceSmall, of, c.TextFaint)
	x += c.ASCII(x, c.baseline(head.y0, head.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextNormal)
	end := in.x1 - c.right(in.x1, head, draw.FaceSmall, " ms", c.TextFaint)
	end -= c.number(end, head, draw.FaceSmall, d.info.Length, c.precision, c.TextNormal) + 14*c.em
	end = c.button(end, x+20*c.em, head, "timeline", "timeline")
	g := icicle{canvas: c, d: d, view: v, in: in, top: draw.Snap(head.y1 + 4*c.em)}
	g.measure()
	beside := ", goroutines side by side"
	if d.info.HasGPU && !d.Report.AtOnce {
		beside = ", CPU and GPU side by side"
	}
	if g.below > 1.001*g.frame && x+c.Width(draw.FaceSmall, beside) <= end {
		x += c.left(x, end-x, head, draw.FaceSmall, beside, c.TextFaint)
	}
	if narrow := ", waiting drawn narrower"; v.wait < 1 && x+c.Width(draw.FaceSmall, narrow) <= end {
		x += c.left(x, end-x, head, draw.FaceSmall, narrow, c.TextFaint)
	}
	g.rows = int((in.y1 - g.top + 3*c.em) / (iceRow * c.em))
	v.in, v.rows, v.levels = rect{in.x0, g.top, in.x1, g.top + float32(g.rows)*iceRow*c.em}, g.rows, treeLevels(d)
	if v.aim >= 0 {
		v.bring(d.Tree, v.aim)
	}
	v.ease()
	v.drawSight(c, head, x, end)
	g.draw()
}

// measure computes the length of the frame and the sum of the calls in it. The sum is greater than the length if
// goroutines ran at the same time.
func (g *icicle) measure() {
	idle := 0.0
	g.frame, g.shift = g.d.info.Length, -1
	if rootIsFrame(g.d.Tree) {
		g.shift = 0
	}
	for i := range g.d.Tree {
		if n := &g.d.Tree[i]; n.Level == g.shift+1 {
			g.below += n.Hier
			if n.Idle {
				idle += n.Hier
			}
		}
	}
	v := g.view
	v.wait, v.waits = waitScale(max(g.below-idle, g.d.info.Busy), idle), g.shift+1
	g.frameWide = g.frame - g.d.info.Waiting()*(1-v.wait)
	v.widest = max(g.below-idle+idle*v.wait, g.frameWide)
}

// mostWait is the greatest share of the width that waiting takes in the call structure.
const mostWait = 0.2

// waitScale is how much narrower idle zones are drawn so that all of them take no more than mostWait of the width.
func waitScale(busy, idle float64) float64 {
	if most := busy * mostWait / (1 - mostWait); idle > most && most > 0 {
		return most / idle
	}
	return 1
}

// width is the width of a bar, in ms of busy time.
func (v *iceView) width(n *process.TreeNode) float64 {
	if n.Idle && n.Level == v.waits && v.wait > 0 {
		return n.Hier * v.wait
	}
	return n.Hier
}

func (g *icicle) draw() {
	if g.view.widest > 0 {
		g.perMs = g.in.width() / float32(g.view.widest*g.view.at.wide)
	}
	left := g.in.x0 - float32(g.view.at.from*g.view.widest)*g.perMs
	g.down = int32(math.Round(g.view.down))
	if g.down == 0 {
		box := rect{left, g.top, left + float32(max(g.frameWide, 0))*g.perMs, g.top + iceRow*g.em}
		g.bar(box, "", "frame", g.frame, g.Grey, plain)
	}
	g.next = g.view.next[:0]
	for range treeLevels(g.d) + 2 {
		g.next = append(g.next, left)
	}
	g.view.next = g.next
	for i := range g.d.Tree {
		g.node(&g.d.Tree[i])
	}
	g.scrollbar()
}

// scrollbar draws the part of the levels that is in sight.
func (g *icicle) scrollbar() {
	v := g.view
	if v.levels <= v.rows || v.rows == 0 {
		return
	}
	per := v.in.height() / float32(v.levels)
	y := v.in.y0 + float32(v.down)*per
	x := g.in.x1 + 6*g.em
	g.Rect(x, v.in.y0, x+3*g.em, v.in.y1, g.Raised)
	g.Rect(x, y, x+3*g.em, max(y+float32(v.rows)*per, y+8*g.em), draw.Fade(g.TextFaint, 0.8))
}

// node draws the bar of a path. The first child of the path begins where its bar begins.
func (g *icicle) node(n *process.TreeNode) {
	if n.Level < 0 || int(n.Level)+1 >= len(g.next) {
		return
	}
	x0 := g.next[n.Level]
	x1 := x0 + float32(g.view.width(n))*g.perMs
	g.next[n.Level], g.next[n.Level+1] = x1, x0
	row := int(n.Level - g.shift - g.down)
	if n.Level == g.shift || row < 0 || row >= g.rows || x1 < g.in.x0 || x0 > g.in.x1 {
		return
	}
	y := g.top + float32(row)*iceRow*g.em
	box := rect{max(x0, g.in.x0), y, min(x1, g.in.x1), y + iceRow*g.em}
	if draw.Snap(box.x1)-draw.Snap(box.x0) < 2*g.em {
		g.smear(box)
		return
	}
	zone := g.d.Zone(n.Zone)
	name := g.canvas.label(g.d, n.Zone, zone.Name)
	g.bar(box, n.Estimated.Sign(), name, n.Hier, g.ColorOf(zone.Name, n.Idle), g.lightOf(n.Zone))
	if n.Path == g.view.blamed {
		g.Border(box.x0, box.y0, box.x1, box.y1, 3*g.em, g.verdictColor(&g.d.Report.Verdict))
	}
	g.add(box, Hit{Kind: HitIcicle, Zone: n.Zone, Path: n.Path})
	g.explainBar(box, n, zone.Name)
}

// smear draws bars that are too thin to see as one grey line. It covers each pixel once.
func (g *icicle) smear(box rect) {
	x0 := max(box.x0, g.skipped)
	if box.y0 == g.top || box.x1-x0 < 0.5 && x0 == g.skipped {
		return
	}
	g.Rect(x0, box.y0+6*g.em, max(box.x1, x0+1), box.y1-7*g.em, draw.Fade(g.Grey, 0.5))
	g.skipped = box.x1
}

// bar draws one bar with its name and time, as far as they fit.
func (g *icicle) bar(box rect, sign, name string, ms float64, col color.NRGBA, how light) {
	box.x0, box.x1 = max(box.x0, g.in.x0), min(box.x1, g.in.x1)
	gap := max(1, draw.Snap(g.em))
	box = rect{draw.Snap(box.x0), draw.Snap(box.y0), draw.Snap(box.x1) - gap, draw.Snap(box.y1) - gap}
	if box.x1 <= box.x0 {
		box.x1 = box.x0 + 1
	}
	ink := inkOn(col)
	switch {
	case col == g.Grey:
		col, ink = idleGround, g.TextBright
	case how == lit:
		col = draw.Mix(col, white, 0.35)
	case how == dimmed:
		col, ink = mute(g.canvas, col), g.TextDim
	}
	g.Round(box.x0, box.y0, box.x1, box.y1, 3*g.em, col)
	if box.width() > 8*g.em {
		g.Rect(box.x0+3*g.em, box.y0, box.x1-3*g.em, box.y0+gap, draw.Fade(white, 0.18))
	}
	if how == lit {
		g.Border(box.x0, box.y0, box.x1, box.y1, 3*g.em, white)
	}
	g.write(box, sign, name, ms, ink)
}

// write writes into a bar: the name, and the time if there is room for both.
func (g *icicle) write(box rect, sign, name string, ms float64, ink color.NRGBA) {
	room := box.width() - 12*g.em
	if room < 24*g.em || room < 46*g.em && g.Width(draw.FaceSmall, name[:min(len(name), 16)]) > room {
		return // one letter and an ellipsis are no help
	}
	written := g.tailed(box.x0+6*g.em, room, box, draw.FaceSmall, sign, name, ink)
	g.buffer = draw.AppendFixed(g.buffer[:0], ms, g.precision)
	if number := g.ASCIIWidth(draw.FaceSmall, g.buffer); written+number+10*g.em <= room {
		y := g.baseline(box.y0, box.y1, draw.FaceSmall)
		g.ASCIIRight(box.x1-6*g.em, y, draw.FaceSmall, g.buffer, draw.Fade(ink, 0.8))
	}
}
