package draw

import "example.com/iprof/gather"

// drawHUD draws one line at the top left: the length of the frame, the busy part, rate, longest of 5 s, what measuring costs, and
// what a frame allocates where that is known.
func (p *Panel) drawHUD(screen rect) {
	c, d := &p.canvas, &p.shown
	d.gatherLine(p.source)
	items := hudItems(c, d)
	x, y := 8*c.em, 8*c.em
	width := min(hudWidth(c, d, items), screen.width()-2*x)
	box := rect{x, y, x + snap(width), y + 26*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 6*c.em, fade(c.background, 0.84))
	c.add(box, hitOf(HitPanel, 0))
	word, col := c.state(&d.info)
	c.Round(x+10*c.em, y+9*c.em, x+18*c.em, y+17*c.em, 4*c.em, col)
	x += 26 * c.em
	if d.info.Frames == 0 {
		c.left(x, box.x1-x, box, FaceText, hudEmpty, c.textNormal)
		return
	}
	for _, i := range items {
		if x+c.hudItemWidth(i) > box.x1 {
			return
		}
		x = c.hudItem(x, box, i)
	}
	if x+hudBars*c.em > box.x1 {
		return
	}
	p.hudBars(rect{x, y + 5*c.em, x + hudBars*c.em, box.y1 - 5*c.em})
	x += (hudBars + 10) * c.em
	if !d.info.Live {
		c.left(x, box.x1-x, box, FaceSmall, word, col)
	}
}

const (
	hudEmpty  = "no frames yet: call iprof.Update() once a frame"
	hudFrames = 60              // frames in the HUD's bars
	hudBars   = hudFrames * 1.5 // their width in nominal pixels
)

// hudItem is one number of the line, in a field of so many characters, so that nothing moves when it changes.
type hudItem struct {
	name, unit string
	value      float64
	decimals   int
	field      int
}

// hudItems are the numbers of the line.
func hudItems(c *canvas, d *shown) (items [6]hudItem) {
	i := &d.info
	items = [6]hudItem{
		{"", " ms", i.Length, c.precision, 3 + c.precision},
		{"busy  ", "", i.Busy, c.precision, 3 + c.precision},
		{"", " fps", i.FPS, 0, 3},
		{"max 5 s  ", "", i.MaxHold, 1, 4},
		{"overhead  ", " %", i.Overhead * 100, 1, 3},
	}
	if i.Memory >= gather.HeapPerFrame {
		items[5] = hudItem{"alloc  ", " kB", hudAllocated(d) / 1000, 0, 4}
	}
	return items
}

// hudAllocated is what a frame allocated, on average over those of the bars.
func hudAllocated(d *shown) float64 {
	n, sum := min(hudFrames, len(d.frames)), 0.0
	for _, f := range d.frames[len(d.frames)-n:] {
		sum += float64(f.AllocBytes)
	}
	return sum / float64(max(n, 1))
}

// hudWidth is the width of the line.
func hudWidth(c *canvas, d *shown, items [6]hudItem) float32 {
	if d.info.Frames == 0 {
		return c.Width(FaceText, hudEmpty) + 38*c.em
	}
	width := (26 + hudBars + 10) * c.em
	for _, i := range items {
		width += c.hudItemWidth(i)
	}
	if word, _ := c.state(&d.info); !d.info.Live {
		width += c.Width(FaceSmall, word) + 10*c.em
	}
	return width
}

// hudItemWidth is the width of a number with its name, unit and the gap after it.
func (c *canvas) hudItemWidth(i hudItem) float32 {
	if i.field == 0 {
		return 0
	}
	return c.Width(FaceSmall, i.name) + c.hudField(i) + c.Width(FaceSmall, i.unit) + 14*c.em
}

// hudField formats the number, and returns the width of its field.
func (c *canvas) hudField(i hudItem) float32 {
	c.buffer = appendFixed(c.buffer[:0], i.value, i.decimals)
	return float32(max(i.field, len(c.buffer))) * c.asciiWidth(FaceMono, c.buffer[:1])
}

// hudItem draws a number between its name and its unit, and returns where the next begins.
func (c *canvas) hudItem(x float32, box rect, i hudItem) float32 {
	if i.field == 0 {
		return x
	}
	end := x + c.hudItemWidth(i)
	x += c.left(x, 200*c.em, box, FaceSmall, i.name, c.textDim)
	x += c.hudField(i)
	c.asciiRight(x, c.baseline(box.y0, box.y1, FaceMono), FaceMono, c.buffer, c.textBright)
	c.left(x, 60*c.em, box, FaceSmall, i.unit, c.textDim)
	return end
}

// hudBars draws the last frames, as high as twice the budget, red where over.
func (p *Panel) hudBars(r rect) {
	c, d := &p.canvas, &p.shown
	c.Rect(r.x0, r.y0, r.x1, r.y1, fade(c.raised, 0.8))
	full := float32(d.info.Budget.Seconds()*1000) * 2
	if full <= 0 {
		full = 2 * length60
	}
	step := r.width() / hudFrames
	for age := range min(hudFrames, len(d.frames)) {
		f := &d.frames[len(d.frames)-1-age]
		col := c.green
		if f.Over {
			col = c.red
		}
		x := r.x1 - float32(age+1)*step
		c.Rect(x, r.y1-min(f.Busy/full, 1)*r.height(), x+step, r.y1, col)
	}
}
