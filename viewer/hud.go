package viewer

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// hudPart is the line of the mode PanelHUD.
type hudPart struct{ *shared }

// Draw draws one line at the top left: the length of the frame, its busy and waiting time, the rate, the longest
// frame of the last 5 s, the 99th percentile of frame lengths, and the overhead. If the heap is measured, the line ends
// with the bytes that a frame allocates. Without room for the bars it leaves out the last numbers.
func (h *hudPart) Draw(screen canvas.Rect, verdict func(screen, line canvas.Rect)) {
	c, d := &h.canvas, &h.scene
	items := hudItems(c, d)
	x, y := 8*c.Em, 8*c.Em
	for last := len(items) - 1; last > 6 && hudWidth(c, d, items) > screen.Width()-2*x; last-- {
		items[last] = hudItem{} // leave out this number rather than the bars
	}
	width := min(hudWidth(c, d, items), screen.Width()-2*x)
	box := canvas.Box(x, y, x+draw.Snap(width), y+26*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 6*c.Em, draw.Fade(c.Background, 0.84))
	c.Add(box, hit.Of(hit.Panel, 0))
	verdict(screen, box)
	word, col := state(c, d)
	c.Round(x+10*c.Em, y+9*c.Em, x+18*c.Em, y+17*c.Em, 4*c.Em, col)
	x += 26 * c.Em
	if d.Info.Frames == 0 {
		c.Left(x, box.X1-x, box, draw.FaceText, hudEmpty(d), c.TextNormal)
		return
	}
	c.Explain(canvas.Box(box.X0, box.Y0, x, box.Y1), word, hudStateTip)
	for _, i := range items {
		if x+hudItemWidth(c, i) > box.X1 {
			return
		}
		x = drawHUDItem(c, x, box, i)
	}
	if x+hudBars*c.Em > box.X1 {
		return
	}
	h.bars(canvas.Box(x, y+5*c.Em, x+hudBars*c.Em, box.Y1-5*c.Em))
	c.Explain(canvas.Box(x, box.Y0, x+hudBars*c.Em, box.Y1), "frames", hudBarsTip)
	x += (hudBars + 10) * c.Em
	if !d.Info.Live {
		c.Left(x, box.X1-x, box, draw.FaceSmall, word, col)
	}
}

// hudEmpty returns the line for a session without frames.
func hudEmpty(d *scene.Scene) string {
	if d.Info.Paused {
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
func hudItems(c *canvas.Canvas, d *scene.Scene) (items [9]hudItem) {
	i, decimals := &d.Info, d.Decimals(c)
	field := 3 + c.Averages
	unit := hudMS
	if _, of, _ := draw.TimeInUnit(i.Length, decimals); of != draw.Milliseconds {
		unit = "" // stands with the number
	}
	items = [9]hudItem{
		{i.Sign(), unit, i.Length, decimals, field, lengthTip},
		{"busy  ", "", i.Busy, decimals, field, partsTip},
		{"waiting  ", "", i.Waiting(), decimals, field, partsTip},
		{}, // the GPU's
		{}, // the rate
		{"max 5 s  ", "", i.MaxHold, c.Told(1), 4, maxHoldTip},
		{"p99  ", "", i.P99, c.Told(1), 4, p99Tip},
		{"overhead  ", " %", i.Overhead * 100, 1, 3, overheadTip},
	}
	if i.Kind.HasFrames() {
		items[4] = hudItem{"", " fps", i.FPS, 0, 3, "frames per second: 1000 ms by the frame length"}
	}
	if i.HasGPU {
		items[3] = hudItem{"GPU  ", "", i.GPU, decimals, field, gpuTip}
	}
	if i.Memory >= gather.MemoryHeapPerFrame {
		items[8] = hudItem{"alloc  ", " kB", hudAllocated(d) / 1000, 0, 4,
			"bytes that a frame allocates on the heap, average of the bars"}
	}
	return items
}

// hudAllocated returns the mean number of bytes that a frame in the bars allocated.
func hudAllocated(d *scene.Scene) float64 {
	n, sum := min(hudFrames, len(d.Frames)), 0.0
	for _, f := range d.Frames[len(d.Frames)-n:] {
		sum += float64(f.AllocBytes)
	}
	return sum / float64(max(n, 1))
}

// hudWidth returns the width of the line.
func hudWidth(c *canvas.Canvas, d *scene.Scene, items [9]hudItem) float32 {
	if d.Info.Frames == 0 {
		return c.Width(draw.FaceText, hudEmpty(d)) + 38*c.Em
	}
	width := (26 + hudBars + 10) * c.Em
	for _, i := range items {
		width += hudItemWidth(c, i)
	}
	if word, _ := state(c, d); !d.Info.Live {
		width += c.Width(draw.FaceSmall, word) + 10*c.Em
	}
	return width
}

// hudItemWidth returns the width of a number with its name, its unit and the gap after it.
func hudItemWidth(c *canvas.Canvas, i hudItem) float32 {
	if i.field == 0 {
		return 0
	}
	return c.Width(draw.FaceSmall, i.name) + hudField(c, i) + c.Width(draw.FaceSmall, i.unit) + 14*c.Em
}

// hudMS is the usual unit of a time.
const hudMS = " ms"

// hudField formats the number into the buffer, and returns the width of its field.
func hudField(c *canvas.Canvas, i hudItem) float32 {
	if i.unit == "" || i.unit == hudMS {
		c.Buffer = draw.AppendMilliseconds(c.Buffer[:0], i.value, i.decimals)
	} else {
		c.Buffer = draw.AppendFixed(c.Buffer[:0], i.value, i.decimals)
	}
	return float32(max(i.field, len(c.Buffer))) * c.ASCIIWidth(draw.FaceMono, c.Buffer[:1])
}

// drawHUDItem draws a number between its name and its unit, and returns the start of the next one.
func drawHUDItem(c *canvas.Canvas, x float32, box canvas.Rect, i hudItem) float32 {
	if i.field == 0 {
		return x
	}
	end := x + hudItemWidth(c, i)
	c.Explain(canvas.Box(x, box.Y0, end-14*c.Em, box.Y1), i.title(), i.tip)
	x += c.Left(x, 200*c.Em, box, draw.FaceSmall, i.name, c.TextDim)
	x += hudField(c, i)
	c.ASCIIRight(x, c.Baseline(box.Y0, box.Y1, draw.FaceMono), draw.FaceMono, c.Buffer, c.TextBright)
	c.Left(x, 60*c.Em, box, draw.FaceSmall, i.unit, c.TextDim)
	return end
}

// barColor returns the colour of a bar: green for a frame on time, amber for a frame late because of a wait, red for a
// frame over budget.
func barColor(c *canvas.Canvas, f *report.FrameSummary, budget float64) color.NRGBA {
	return [...]color.NRGBA{c.Green, c.Amber, c.Red}[f.Pace(budget)]
}

// bars draws a bar for each of the last frames. The full height is twice the budget.
func (h *hudPart) bars(r canvas.Rect) {
	c, d := &h.canvas, &h.scene
	c.Rect(r.X0, r.Y0, r.X1, r.Y1, draw.Fade(c.Raised, 0.8))
	full := float32(d.Info.Budget.Seconds()*1000) * 2
	if full <= 0 {
		full = 2 * scene.Length60
	}
	step := r.Width() / hudFrames
	for age := range min(hudFrames, len(d.Frames)) {
		f := &d.Frames[len(d.Frames)-1-age]
		col := barColor(c, f, float64(full)/2)
		x := r.X1 - float32(age+1)*step
		c.Rect(x, r.Y1-min(f.Judged()/full, 1)*r.Height(), x+step, r.Y1, col)
	}
}
