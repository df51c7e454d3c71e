package viewer

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// drawHUD draws one line at the top left: the length of the frame, its busy and waiting time, the rate, the longest
// frame of the last 5 s, the length that 99 % of the frames do not exceed, and the overhead. If the heap is measured,
// the line ends with the bytes that a frame allocates. Where there is no room for the bars, the last numbers go.
func (p *Panel) drawHUD(screen rect) {
	c, d := &p.canvas, &p.shown
	d.take(p.source, process.SnapshotOptions{Brief: true})
	items := hudItems(c, d)
	x, y := 8*c.em, 8*c.em
	for last := len(items) - 1; last > 6 && hudWidth(c, d, items) > screen.width()-2*x; last-- {
		items[last] = hudItem{} // rather than the bars
	}
	width := min(hudWidth(c, d, items), screen.width()-2*x)
	box := rect{x, y, x + draw.Snap(width), y + 26*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 6*c.em, draw.Fade(c.Background, 0.84))
	c.add(box, hitOf(HitPanel, 0))
	p.hudVerdict(screen, box)
	word, col := c.state(&d.info)
	c.Round(x+10*c.em, y+9*c.em, x+18*c.em, y+17*c.em, 4*c.em, col)
	x += 26 * c.em
	if d.info.Frames == 0 {
		c.left(x, box.x1-x, box, draw.FaceText, d.hudEmpty(), c.TextNormal)
		return
	}
	defer p.drawTip(screen)
	c.explain(rect{box.x0, box.y0, x, box.y1}, word, hudStateTip)
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
	c.explain(rect{x, box.y0, x + hudBars*c.em, box.y1}, "frames", hudBarsTip)
	x += (hudBars + 10) * c.em
	if !d.info.Live {
		c.left(x, box.x1-x, box, draw.FaceSmall, word, col)
	}
}

// hudEmpty returns the line for a session without frames.
func (d *shown) hudEmpty() string {
	if d.info.Paused {
		return "paused, and nothing is kept: Space goes on"
	}
	return "no frames yet: call iprof.Update() once a frame"
}

const hudStateTip = "green: the newest frames are shown. Amber: paused. Blue: an\n" +
	"earlier frame is shown. Grey: no frames are recorded"

const overheadTip = "what measuring the zones cost in the frame shown, in percent\nof its length"

const gpuTip = "ms in which the busiest GPU worked for the frame, by timer queries"

const hudBarsTip = "the last 60 frames, the newest at the right. The full height\n" +
	"is twice the budget. Green: on time. Amber: waited too long.\nRed: over budget"

const (
	hudFrames = 60              // frames in the HUD's bars
	hudBars   = hudFrames * 1.5 // width of all bars in nominal pixels
)

// hudItem is one number of the line. Its field has a fixed number of characters, so the line keeps its place when the
// number changes.
type hudItem struct {
	name, unit string
	value      float64
	decimals   int
	field      int
	tip        string
}

// title returns the title of the number's tip.
func (i hudItem) title() string {
	switch {
	case i.tip == lengthTip:
		return "frame length"
	case i.name == "":
		return strings.TrimSpace(i.unit)
	}
	return strings.TrimSpace(i.name)
}

// hudItems returns the numbers of the line.
func hudItems(c *canvas, d *shown) (items [9]hudItem) {
	i := &d.info
	items = [9]hudItem{
		{i.Sign(), " ms", i.Length, c.precision, 3 + c.precision, lengthTip},
		{"busy  ", "", i.Busy, c.precision, 3 + c.precision, partsTip},
		{"waiting  ", "", i.Waiting(), c.precision, 3 + c.precision, partsTip},
		{}, // the GPU's
		{"", " fps", i.FPS, 0, 3, "frames per second: 1000 ms by the frame length"},
		{"max 5 s  ", "", i.MaxHold, 1, 4, maxHoldTip},
		{"p99  ", "", i.P99, 1, 4, p99Tip},
		{"overhead  ", " %", i.Overhead * 100, 1, 3, overheadTip},
	}
	if i.HasGPU {
		items[3] = hudItem{"GPU  ", "", i.GPU, c.precision, 3 + c.precision, gpuTip}
	}
	if i.Memory >= gather.MemoryHeapPerFrame {
		items[8] = hudItem{"alloc  ", " kB", hudAllocated(d) / 1000, 0, 4,
			"bytes that a frame allocates on the heap, average of the bars"}
	}
	return items
}

// hudAllocated returns the mean number of bytes that one of the frames in the bars allocated.
func hudAllocated(d *shown) float64 {
	n, sum := min(hudFrames, len(d.Frames)), 0.0
	for _, f := range d.Frames[len(d.Frames)-n:] {
		sum += float64(f.AllocBytes)
	}
	return sum / float64(max(n, 1))
}

// hudWidth returns the width of the line.
func hudWidth(c *canvas, d *shown, items [9]hudItem) float32 {
	if d.info.Frames == 0 {
		return c.Width(draw.FaceText, d.hudEmpty()) + 38*c.em
	}
	width := (26 + hudBars + 10) * c.em
	for _, i := range items {
		width += c.hudItemWidth(i)
	}
	if word, _ := c.state(&d.info); !d.info.Live {
		width += c.Width(draw.FaceSmall, word) + 10*c.em
	}
	return width
}

// hudItemWidth returns the width of a number with its name, its unit and the gap after it.
func (c *canvas) hudItemWidth(i hudItem) float32 {
	if i.field == 0 {
		return 0
	}
	return c.Width(draw.FaceSmall, i.name) + c.hudField(i) + c.Width(draw.FaceSmall, i.unit) + 14*c.em
}

// hudField formats the number into the buffer, and returns the width of its field.
func (c *canvas) hudField(i hudItem) float32 {
	c.buffer = draw.AppendFixed(c.buffer[:0], i.value, i.decimals)
	return float32(max(i.field, len(c.buffer))) * c.ASCIIWidth(draw.FaceMono, c.buffer[:1])
}

// hudItem draws a number between its name and its unit, and returns the start of the next one.
func (c *canvas) hudItem(x float32, box rect, i hudItem) float32 {
	if i.field == 0 {
		return x
	}
	end := x + c.hudItemWidth(i)
	c.explain(rect{x, box.y0, end - 14*c.em, box.y1}, i.title(), i.tip)
	x += c.left(x, 200*c.em, box, draw.FaceSmall, i.name, c.TextDim)
	x += c.hudField(i)
	c.ASCIIRight(x, c.baseline(box.y0, box.y1, draw.FaceMono), draw.FaceMono, c.buffer, c.TextBright)
	c.left(x, 60*c.em, box, draw.FaceSmall, i.unit, c.TextDim)
	return end
}

// barColor is the colour of a bar: green for a frame on time, amber for one that waited too long, red for one over
// budget.
func (c *canvas) barColor(f *process.FrameSummary, budget float64) color.NRGBA {
	return [...]color.NRGBA{c.Green, c.Amber, c.Red}[f.Pace(budget)]
}

// hudBars draws a bar for each of the last frames. The full height is twice the budget.
func (p *Panel) hudBars(r rect) {
	c, d := &p.canvas, &p.shown
	c.Rect(r.x0, r.y0, r.x1, r.y1, draw.Fade(c.Raised, 0.8))
	full := float32(d.info.Budget.Seconds()*1000) * 2
	if full <= 0 {
		full = 2 * length60
	}
	step := r.width() / hudFrames
	for age := range min(hudFrames, len(d.Frames)) {
		f := &d.Frames[len(d.Frames)-1-age]
		col := c.barColor(f, float64(full)/2)
		x := r.x1 - float32(age+1)*step
		c.Rect(x, r.y1-min(f.Busy/full, 1)*r.height(), x+step, r.y1, col)
	}
}
