package desk

import (
	"fmt"
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/printed"
)

// contrastLayout holds the places of the last drawing.
type contrastLayout struct {
	top, row float32 // of the first row of the table, and its height
	first    int     // its line
	rows     int     // that fit
	end      float32
	bars     []contrastBar
}

// contrastBar is the bar of a path, before or after.
type contrastBar struct {
	path           int
	x0, y0, x1, y1 float32
}

// rowAt returns the line of the table at a place.
func (l *contrastLayout) rowAt(at [2]float32) (line int, hit bool) {
	if at[1] < l.top || at[1] >= l.end {
		return 0, false
	}
	return l.first + int((at[1]-l.top)/l.row), true
}

// pathAt returns the path whose bar is at a place, or -1.
func (l *contrastLayout) pathAt(at [2]float32) int {
	for _, b := range l.bars {
		if at[0] >= b.x0 && at[0] < b.x1 && at[1] >= b.y0 && at[1] < b.y1 {
			return b.path
		}
	}
	return -1
}

// contrastPainter draws a comparison.
type contrastPainter struct {
	*draw.List
	c      *contrast
	p      *draw.Palette
	scale  float32
	x0, x1 float32
}

// ink is red for a zone that takes longer, green for one that takes less, and dim for the others.
func (g *contrastPainter) ink(verdict string) color.NRGBA {
	switch verdict {
	case "slower", "new":
		return g.p.Red
	case "faster", "gone":
		return g.p.Green
	}
	return g.p.TextDim
}

// draw draws the comparison over the window, below top.
func (c *contrast) draw(l *draw.List, theme draw.Theme, width, height, top, scale float32) {
	g := contrastPainter{l, c, draw.PaletteOf(theme), scale, 20 * scale, width - 20*scale}
	c.laid.bars = c.laid.bars[:0]
	l.Rect(0, top, width, height, g.p.Surface)
	y := g.title(top)
	rest := height - y - 12*scale
	y = g.structures(y, y+0.46*rest)
	y = g.histograms(y+8*scale, y+8*scale+0.2*rest)
	g.table(y+14*scale, height-12*scale)
}

// title names the two runs and the keys. It returns the y at which it ends.
func (g *contrastPainter) title(top float32) float32 {
	y := top + 24*g.scale
	keys := "X swaps   \u2191\u2193 zones   Esc closes"
	g.TextRight(g.x1, y, draw.FaceText, keys, g.p.TextDim)
	room := g.x1 - g.Width(draw.FaceText, keys) - 24*g.scale
	x := g.x0
	for i, s := range g.c.sides {
		word := [...]string{"before  ", "     after  "}[i]
		x += g.TextCut(x, y, room-x, draw.FaceText, word, g.p.TextDim)
		x += g.TextCut(x, y, (room-x)/float32(2-i), draw.FaceText, s.name, g.p.TextBright)
		x += g.TextCut(x, y, room-x, draw.FaceText, "  "+printed.Count(s.frames, "frame"), g.p.TextDim)
	}
	return y + 12*g.scale
}

// structures draws both call structures from a scale in the middle: before upwards, after downwards. Each path has the
// same x in both. It returns the y at which it ends.
func (g *contrastPainter) structures(y0, y1 float32) float32 {
	axis := 20 * g.scale
	words := 16 * g.scale
	middle := draw.Snap((y0 + y1 - axis) / 2)
	depths, deepest := g.depths()
	room := middle - y0 - words
	row := draw.Snap(max(min(room/float32(deepest+1), 30*g.scale), 19*g.scale))
	at, per := g.places()
	for i := range g.c.Paths {
		p, depth := &g.c.Paths[i], float32(depths[i])
		if (depth+1)*row > room {
			continue
		}
		g.bar(i, at[i], middle-(depth+1)*row, p.Before*per, row, fmt.Sprintf("  %.2f", p.Before))
		g.bar(i, at[i], middle+axis+depth*row, p.After*per, row,
			fmt.Sprintf("  %.2f, %+.2f", p.After, p.After-p.Before))
	}
	g.axis(middle, axis, per)
	g.TextRight(g.x1, y0+12*g.scale, draw.FaceSmall, "before, ms a frame", g.p.TextDim)
	g.TextRight(g.x1, y1-4*g.scale, draw.FaceSmall, "after, ms a frame", g.p.TextDim)
	g.pointed(y0)
	return y1
}

// depths returns the depth of each path, and the greatest.
func (g *contrastPainter) depths() (depths []int, deepest int) {
	depths = make([]int, len(g.c.Paths))
	for i, p := range g.c.Paths {
		if p.Parent >= 0 {
			depths[i] = depths[p.Parent] + 1
		}
		deepest = max(deepest, depths[i])
	}
	return depths, deepest
}

// places returns the x of each path in pixels, and the number of pixels per millisecond. A path has room for the longer
// of both runs, and for all its children.
func (g *contrastPainter) places() (at []float32, per float64) {
	paths := g.c.Paths
	room, below := make([]float64, len(paths)), make([]float64, len(paths))
	roots := 0.0
	for i := len(paths) - 1; i >= 0; i-- {
		room[i] = max(paths[i].Longer(), below[i])
		if up := paths[i].Parent; up >= 0 {
			below[up] += room[i]
		} else {
			roots += room[i]
		}
	}
	if roots > 0 {
		per = float64(g.x1-g.x0) / roots
	}
	at = make([]float32, len(paths))
	used, root := make([]float64, len(paths)), 0.0
	for i := range paths {
		begin := root
		if up := paths[i].Parent; up >= 0 {
			begin = used[up]
			used[up] += room[i]
		} else {
			root += room[i]
		}
		used[i] = begin
		at[i] = g.x0 + float32(begin*per)
	}
	return at, per
}

// bar draws a path in one run. Only a change beyond the noise has a colour and numbers.
func (g *contrastPainter) bar(path int, x, y float32, width float64, row float32, numbers string) {
	gap := g.scale
	b := contrastBar{path, x, y, x + float32(width), y + row}
	if width < 0.5 {
		return
	}
	g.c.laid.bars = append(g.c.laid.bars, b)
	p := &g.c.Paths[path]
	change := &g.c.Changes[p.Change]
	col, ink := draw.Mix(g.p.Surface, g.p.Grey, 0.45), g.p.TextNormal
	if change.Verdict != "same" && p.Parent >= 0 {
		col, ink = draw.Mix(g.p.Surface, g.ink(change.Verdict), 0.55), g.p.TextBright
	}
	g.Rect(b.x0, b.y0+gap, max(b.x1-gap, b.x0+0.5), b.y1, col)
	if p.Change == g.c.chosen {
		g.Border(b.x0, b.y0+gap, b.x1-gap, b.y1, 0, g.p.Strong)
	}
	if width > float64(26*g.scale) {
		label := p.Name
		if change.Verdict != "same" && p.Parent >= 0 {
			label += numbers
		}
		g.TextCut(b.x0+5*g.scale, (b.y0+b.y1)/2+5*g.scale, float32(width)-8*g.scale, draw.FaceSmall, label, ink)
	}
}

// axis draws the scale of both structures.
func (g *contrastPainter) axis(y, height float32, per float64) {
	if per == 0 {
		return
	}
	step := 1e-3
	for i := 0; step*per < float64(80*g.scale); i++ {
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	for n := 0; g.x0+float32(float64(n)*step*per) < g.x1; n++ {
		x := g.x0 + float32(float64(n)*step*per)
		g.Rect(x, y+3*g.scale, x+draw.Hairline(g.scale), y+height-3*g.scale, g.p.Outline)
		g.Text(x+4*g.scale, y+height-6*g.scale, draw.FaceSmall, fmt.Sprintf("%.4g ms", float64(n)*step), g.p.TextFaint)
	}
}

// pointed describes the bar under the mouse in words.
func (g *contrastPainter) pointed(y0 float32) {
	at := g.c.laid.pathAt(g.c.mouse)
	if at < 0 {
		return
	}
	p := &g.c.Paths[at]
	words := fmt.Sprintf("%s: %.3f -> %.3f ms with all below it (%s)", p.Name, p.Before, p.After,
		changes.Percentage(p.Before, p.After))
	x := g.x0
	g.Round(x, y0, x+g.Width(draw.FaceText, words)+16*g.scale, y0+22*g.scale, 4*g.scale, g.p.Raised)
	g.Text(x+8*g.scale, y0+15*g.scale, draw.FaceText, words, g.p.TextBright)
}

// histograms draws the distributions of the times of the frame, or of the chosen zone. It returns the y at which it
// ends.
func (g *contrastPainter) histograms(y0, y1 float32) float32 {
	c := &g.c.Changes[g.c.chosen]
	s := &g.c.spread
	what := "self time a frame"
	if g.c.chosen == 0 {
		what = "busy time"
	}
	y := y0 + 12*g.scale
	x := g.x0 + g.Text(g.x0, y, draw.FaceText, c.Name, g.p.TextBright)
	x += g.Text(x, y, draw.FaceSmall, "   "+what+":   before ", g.p.TextDim)
	x += g.Text(x, y, draw.FaceSmall, fmt.Sprintf("%.3f ms (area)", c.Before), g.p.TextNormal)
	x += g.Text(x, y, draw.FaceSmall, "   after ", g.p.TextDim)
	x += g.Text(x, y, draw.FaceSmall, fmt.Sprintf("%.3f ms (line)", c.After), g.ink(c.Verdict))
	band := changes.Band(c.Before, c.Noise, changes.Percent)
	g.Text(x, y, draw.FaceSmall, fmt.Sprintf("   a change of up to %.3f ms is noise (band)", band), g.p.TextDim)
	ends := y1 - 4*g.scale
	s.draw(g, c, band, g.x0, y0+18*g.scale, g.x1, ends-14*g.scale)
	g.Text(g.x0, ends, draw.FaceSmall, fmt.Sprintf("%.4g ms", s.low), g.p.TextFaint)
	g.TextRight(g.x1, ends, draw.FaceSmall, fmt.Sprintf("%.4g ms", s.high), g.p.TextFaint)
	return y1
}

// table draws the changes in numbers.
func (g *contrastPainter) table(y, end float32) {
	c := g.c
	row := 20 * g.scale
	columns := [len(changes.Headings)]float32{g.x1 - 440*g.scale, g.x1 - 350*g.scale, g.x1 - 260*g.scale,
		g.x1 - 170*g.scale, g.x1 - 85*g.scale, g.x1}
	line := func(cells [len(columns)]string, name string, ink, nameInk color.NRGBA) {
		g.TextCut(g.x0, y, columns[0]-g.x0-80*g.scale, draw.FaceText, name, nameInk)
		for i, text := range cells {
			g.TextRight(columns[i], y, draw.FaceText, text, ink)
		}
		y += row
	}
	line(changes.Headings, changes.Zones, g.p.TextDim, g.p.TextDim)
	c.laid.rows = max(int((end-y)/row), 1)
	c.laid.top, c.laid.row, c.laid.first = y-14*g.scale, row, c.first
	last := min(c.first+c.laid.rows, len(c.rows))
	c.laid.end = c.laid.top + float32(last-c.first)*row
	for i := c.first; i < last; i++ {
		k := &c.Changes[c.rows[i]]
		if c.rows[i] == c.chosen {
			g.Rect(g.x0-6*g.scale, y-14*g.scale, g.x1+6*g.scale, y+6*g.scale, g.p.Selected)
		}
		line(k.Cells(), k.Title(), g.ink(k.Verdict), g.p.TextNormal)
	}
	g.TextCut(g.x0, end, g.x1-g.x0, draw.FaceText, c.Summary(), g.p.TextDim)
}
