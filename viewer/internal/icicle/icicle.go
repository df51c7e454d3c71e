// Package icicle draws the call structure of a frame: each bar is as wide as the time of its path, below its caller.
package icicle

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// lightOf is Light without dimming for the zone under the mouse: its neighbours stay readable.
func (g *painter) lightOf(zone report.ZoneID) scene.Light {
	if how := g.d.Light(zone); how == scene.Lit || g.d.ZoneUnderMouse() < 0 {
		return how
	}
	return scene.Plain
}

// treeLevels returns the number of levels, with the frame's own.
func treeLevels(d *scene.Scene) int {
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
func rootIsFrame(t []report.TreeNode) bool {
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

// painter draws one call structure.
type painter struct {
	*canvas.Canvas
	d        *scene.Scene
	view     *View
	in       canvas.Rect
	top      float32
	rows     int
	down     int32   // number of levels above the upper edge
	shift    int32   // level of the frame's own row
	frame    float64 // ms
	childSum float64 // sum of the calls in the frame, ms
	omitted  float64 // left out waits, ms

	frameWide float64   // width of the frame's bar, ms
	perMs     float32   // pixels per ms
	nextX     []float32 // x where the next bar begins, by level
	smearEnd  float32   // x where the last smear ends
	isWait    bool      // the bar is a wait
	inOmitted bool      // the node is in a left out wait
}

// Draw draws the call structure of the frame. Each bar is as wide as its hierarchical time, and lies below the bar of
// its caller. Waits are dim and hatched. With OnlyWork they are left out.
func Draw(c *canvas.Canvas, d *scene.Scene, v *View, r canvas.Rect) {
	if r.Height() < 30*c.Em {
		return
	}
	in := c.Card(r)
	head := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+15*c.Em)
	c.Add(r, hit.Of(hit.Structure, 0))
	of := "call structure of "
	if d.Info.Averaged() {
		of = "call structure, "
	}
	c.Buffer = d.AppendOf(c.Buffer[:0])
	x := in.X0 + c.Left(in.X0, in.Width(), head, draw.FaceSmall, of, c.TextFaint)
	x += c.ASCII(x, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextNormal)
	end := in.X1 - c.Time(in.X1, head, draw.FaceSmall, d.Info.Length, d.Decimals(c), c.TextNormal, c.TextFaint)
	end -= 14 * c.Em
	end = c.Button(end, x+20*c.Em, head, "timeline", "timeline")
	word := "only work"
	if v.OnlyWork {
		word = "with waits"
	}
	end = c.Button(end, x+20*c.Em, head, word, "only-work")
	g := painter{Canvas: c, d: d, view: v, in: in, top: draw.Snap(head.Y1 + 4*c.Em)}
	g.measure()
	beside := ", goroutines side by side"
	if d.Info.HasGPU && !d.Report.AtOnce {
		beside = ", CPU and GPU side by side"
	}
	if g.childSum > 1.001*g.frame && x+c.Width(draw.FaceSmall, beside) <= end {
		x += c.Left(x, end-x, head, draw.FaceSmall, beside, c.TextFaint)
	}
	if g.omitted > 0 {
		c.Buffer = draw.AppendTime(append(c.Buffer[:0], ", without "...), g.omitted, d.Decimals(c))
		c.Buffer = append(c.Buffer, " of waiting"...)
		if x+c.ASCIIWidth(draw.FaceSmall, c.Buffer) <= end {
			x += c.ASCII(x, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.Amber)
		}
	}
	g.rows = int((in.Y1 - g.top + 3*c.Em) / (iceRow * c.Em))
	v.in, v.rows, v.levels = canvas.Box(in.X0, g.top, in.X1, g.top+float32(g.rows)*iceRow*c.Em), g.rows, treeLevels(d)
	if v.Aim >= 0 {
		v.bring(d.Tree, v.Aim)
	}
	v.ease()
	v.drawSight(c, head, x, end)
	g.draw()
}

// measure computes the length of the frame and the sum of the calls in it. The sum is greater than the length if
// goroutines ran at the same time.
func (g *painter) measure() {
	idle := 0.0
	g.frame, g.shift = g.d.Info.Length, -1
	if rootIsFrame(g.d.Tree) {
		g.shift = 0
	}
	for i := range g.d.Tree {
		if n := &g.d.Tree[i]; n.Level == g.shift+1 {
			g.childSum += n.Hier
			if n.Idle {
				idle += n.Hier
			}
		}
	}
	v := g.view
	v.waitLevel, g.frameWide, v.widest = g.shift+1, g.frame, max(g.childSum, g.frame)
	if v.OnlyWork && idle > 0 {
		g.omitted, g.frameWide = idle, max(g.frame-g.d.Info.Waiting(), 0)
		v.widest = max(g.childSum-idle, g.frameWide)
	}
}

// leavesOut reports whether to leave out a bar: a wait, if only work is shown. The bars inside are left out, too.
func (v *View) leavesOut(n *report.TreeNode) bool {
	return v.OnlyWork && n.Idle && n.Level == v.waitLevel
}

func (g *painter) draw() {
	if g.view.widest > 0 {
		g.perMs = g.in.Width() / float32(g.view.widest*g.view.at.Wide)
	}
	left := g.in.X0 - float32(g.view.at.From*g.view.widest)*g.perMs
	g.down = int32(math.Round(g.view.down))
	if g.down == 0 {
		box := canvas.Box(left, g.top, left+float32(max(g.frameWide, 0))*g.perMs, g.top+iceRow*g.Em)
		whole := g.d.Info.Kind.Frame()
		if g.d.Info.Lens.Sums() {
			whole = "the whole run"
		}
		g.bar(box, "", whole, g.frame, g.Grey, scene.Plain)
	}
	g.view.Smeared = false
	g.nextX = g.view.nextX[:0]
	for range treeLevels(g.d) + 2 {
		g.nextX = append(g.nextX, left)
	}
	g.view.nextX = g.nextX
	for i := range g.d.Tree {
		g.node(&g.d.Tree[i])
	}
	g.scrollbar()
}

// scrollbar draws the visible part of the levels.
func (g *painter) scrollbar() {
	v := g.view
	if v.levels <= v.rows || v.rows == 0 {
		return
	}
	per := v.in.Height() / float32(v.levels)
	y := v.in.Y0 + float32(v.down)*per
	x := g.in.X1 + 6*g.Em
	g.Rect(x, v.in.Y0, x+3*g.Em, v.in.Y1, g.Raised)
	g.Rect(x, y, x+3*g.Em, max(y+float32(v.rows)*per, y+8*g.Em), draw.Fade(g.TextFaint, 0.8))
}

// node draws the bar of a path. The first child of the path begins where its bar begins.
func (g *painter) node(n *report.TreeNode) {
	if n.Level < 0 || int(n.Level)+1 >= len(g.nextX) {
		return
	}
	if n.Level <= g.view.waitLevel {
		g.inOmitted = g.view.leavesOut(n)
	}
	if g.inOmitted {
		return
	}
	x0 := g.nextX[n.Level]
	x1 := x0 + float32(n.Hier)*g.perMs
	g.nextX[n.Level], g.nextX[n.Level+1] = x1, x0
	row := int(n.Level - g.shift - g.down)
	if n.Level == g.shift || row < 0 || row >= g.rows || x1 < g.in.X0 || x0 > g.in.X1 {
		return
	}
	y := g.top + float32(row)*iceRow*g.Em
	box := canvas.Box(max(x0, g.in.X0), y, min(x1, g.in.X1), y+iceRow*g.Em)
	if draw.Snap(box.X1)-draw.Snap(box.X0) < 2*g.Em {
		g.smear(box)
		return
	}
	zone := g.d.Zone(n.Zone)
	name := g.d.Label(n.Zone, zone.Name)
	g.isWait = n.Idle
	g.bar(box, n.Estimated.Sign(), name, n.Hier, g.d.ColorOf(g.Canvas, n.Zone, zone.Name, n.Idle), g.lightOf(n.Zone))
	if n.Path == g.view.Blamed {
		g.Border(box.X0, box.Y0, box.X1, box.Y1, 3*g.Em, scene.VerdictColor(g.Canvas, &g.d.Report.Verdict))
	}
	g.Add(box, hit.Hit{Kind: hit.Icicle, Zone: n.Zone, Path: n.Path})
	explainBar(g.Canvas, box, n, zone.Name, g.d.Decimals(g.Canvas))
}

// smear draws bars that are too thin to see as one grey line. It covers each pixel once.
func (g *painter) smear(box canvas.Rect) {
	x0 := max(box.X0, g.smearEnd)
	if box.Y0 == g.top || box.X1-x0 < 0.5 && x0 == g.smearEnd {
		return
	}
	g.view.Smeared = true
	g.Rect(x0, box.Y0+6*g.Em, max(box.X1, x0+1), box.Y1-7*g.Em, draw.Fade(g.Grey, 0.5))
	g.smearEnd = box.X1
}

// bar draws one bar with its name and time, as far as they fit.
func (g *painter) bar(box canvas.Rect, sign, name string, ms float64, col color.NRGBA, how scene.Light) {
	box.X0, box.X1 = max(box.X0, g.in.X0), min(box.X1, g.in.X1)
	gap := max(1, draw.Snap(g.Em))
	box = canvas.Box(draw.Snap(box.X0), draw.Snap(box.Y0), draw.Snap(box.X1)-gap, draw.Snap(box.Y1)-gap)
	if box.X1 <= box.X0 {
		box.X1 = box.X0 + 1
	}
	ink := canvas.InkOn(col)
	switch {
	case col == g.Grey && how == scene.Lit:
		col, ink = draw.Mix(g.Surface, g.Grey, 0.8), g.TextBright
	case col == g.Grey:
		col, ink = draw.Mix(g.Surface, g.Grey, 0.4), g.TextNormal
	case how == scene.Lit:
		col = draw.Mix(col, g.Strong, 0.35)
	case how == scene.Dimmed:
		col, ink = canvas.Mute(g.Canvas, col), g.TextNormal
	}
	g.Round(box.X0, box.Y0, box.X1, box.Y1, 3*g.Em, col)
	if g.isWait {
		g.Hatch(box, box.X0, box.X1)
	}
	if box.Width() > 8*g.Em {
		g.Rect(box.X0+3*g.Em, box.Y0, box.X1-3*g.Em, box.Y0+gap, draw.Fade(g.Strong, 0.18))
	}
	if how == scene.Lit {
		g.Border(box.X0, box.Y0, box.X1, box.Y1, 3*g.Em, g.Strong)
	}
	g.write(box, sign, name, ms, ink)
}

// write writes into a bar: the name, and the time if there is room for both.
func (g *painter) write(box canvas.Rect, sign, name string, ms float64, ink color.NRGBA) {
	room := box.Width() - 12*g.Em
	if room < 24*g.Em || room < 46*g.Em && g.Width(draw.FaceSmall, name[:min(len(name), 16)]) > room {
		return // one letter and an ellipsis are no help
	}
	written := g.SignedCut(box.X0+6*g.Em, room, box, draw.FaceSmall, sign, name, ink)
	if _, unit, _ := draw.TimeInUnit(g.d.Info.Length, 0); unit != draw.Milliseconds { // as the heading
		g.Buffer = draw.AppendTime(g.Buffer[:0], ms, g.d.Decimals(g.Canvas))
	} else {
		g.Buffer = draw.AppendMilliseconds(g.Buffer[:0], ms, g.d.Decimals(g.Canvas))
	}
	if number := g.ASCIIWidth(draw.FaceSmall, g.Buffer); written+number+10*g.Em <= room {
		y := g.Baseline(box.Y0, box.Y1, draw.FaceSmall)
		g.ASCIIRight(box.X1-6*g.Em, y, draw.FaceSmall, g.Buffer, ink)
	}
}

// explainBar requests a tip for a bar of the call structure.
func explainBar(c *canvas.Canvas, at canvas.Rect, n *report.TreeNode, name string, decimals int) {
	if !c.Tip.Accepts(c.Hovers(at)) {
		return
	}
	c.Explain(at, name, "")
	b := append(draw.AppendTime(c.Tip.Number, n.Hier, decimals), ", self "...)
	b = append(b, n.Estimated.Sign()...)
	b = append(draw.AppendTime(b, n.Self, decimals), ", calls "...)
	c.Tip.Number = draw.AppendCount(b, n.Count)
}
