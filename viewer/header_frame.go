package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// drawFrameNumbers draws the frame's number, length and rate at the right, and returns the x where they begin.
func drawFrameNumbers(c *canvas, d *shown, r rect) float32 {
	x := r.x1 - 6*c.em
	if d.info.Frames == 0 {
		return x
	}
	low := r.y0 + (r.height()+10*c.em)/2
	small := rect{0, low - 8*c.em, 0, low + 2*c.em}
	if r.width() >= narrow*c.em {
		x -= c.right(x, small, draw.FaceSmall, "fps", c.TextDim) + 8*c.em
		x -= c.number(x, r, draw.FaceLarge, d.info.FPS, 0, c.TextNormal)
		x = min(x, r.x1-80*c.em) - 14*c.em
	}
	unit := c.right(x, small, draw.FaceSmall, "ms", c.TextDim)
	above := rect{0, small.y0 - 14*c.em, 0, small.y1 - 14*c.em}
	c.left(x-unit, 44*c.em, above, draw.FaceSmall, d.info.Pace().String(), c.paceColor(&d.info))
	x -= unit + 8*c.em
	c.explainLength(&d.info, rect{x - 80*c.em, r.y0 + 6*c.em, r.x1, r.y1 - 6*c.em})
	width := c.number(x, r, draw.FaceLarge, d.info.Length, min(c.precision, 3), c.paceColor(&d.info))
	if d.info.Averaged() {
		c.left(x-width-13*c.em, 12*c.em, r, draw.FaceText, "ø", c.TextDim)
	}
	x -= max(c.em*float32(80+14*(min(c.precision, 3)-2)), width) + 18*c.em
	if r.width() < partsWidth*c.em {
		return x
	}
	return drawParts(c, d, r, x)
}

// leastWait is the least time in ms of waits of all goroutines that a tip mentions.
const leastWait = 0.05

// explainLength requests a tip for the length of the frame, with the waits of all goroutines.
func (c *canvas) explainLength(i *process.FrameInfo, at rect) {
	if !c.tip.accepts(c.hovers(at)) {
		return
	}
	c.explain(at, "frame length", lengthTip)
	if i.RunQueue < leastWait && i.LockWait < leastWait {
		return
	}
	b := append(draw.AppendFixed(append(c.tip.number, "all goroutines: "...), i.RunQueue, 2), " ms until they ran, "...)
	c.tip.number = append(draw.AppendFixed(b, i.LockWait, 2), " ms for locks"...)
}

// partsWidth is the least width in nominal pixels of a header that says which frame it is of, and what it is made of.
const partsWidth = 760

// drawParts draws which frame the numbers are of, and below it the busy and the waiting part of its length. It returns
// the x where they begin.
func drawParts(c *canvas, d *shown, r rect, x float32) float32 {
	y := (r.y0 + r.y1) / 2
	upper, lower := rect{0, y - 15*c.em, 0, y - c.em}, rect{0, y, 0, y + 14*c.em}
	c.buffer = d.appendOf(c.buffer[:0])
	width := c.BytesWidth(draw.FaceSmall, c.buffer)
	if d.info.Averaged() && d.info.Lens.Kind == process.LensOff {
		c.add(rect{x - width, upper.y0, x, upper.y1}, command("average"))
	}
	c.TextBytes(x-width, c.baseline(upper.y0, upper.y1, draw.FaceSmall), width+c.em, draw.FaceSmall, c.buffer,
		c.TextDim)
	width += c.drawWaits(&d.info, rect{upper.x0, upper.y0, x - width, upper.y1})
	c.buffer = d.info.AppendParts(c.buffer[:0], min(c.precision, 3))
	parts := c.BytesWidth(draw.FaceSmall, c.buffer)
	ink := c.TextNormal
	if d.info.Pace() == process.PaceWaited {
		ink = c.paceColor(&d.info)
	}
	c.TextBytes(x-parts, c.baseline(lower.y0, lower.y1, draw.FaceSmall), parts+c.em, draw.FaceSmall, c.buffer, ink)
	c.explainParts(&d.info, rect{x - parts, lower.y0, x, lower.y1})
	return x - max(width, parts, partsRoom(d)*c.em) - 12*c.em
}

// partsRoom is the room in nominal pixels for what a frame is made of. It depends on the history only, so nothing moves
// from frame to frame.
func partsRoom(d *shown) float32 {
	if d.info.HasGPU {
		return 276
	}
	for i := range d.Frames {
		if d.Frames[i].Waited() {
			return 276
		}
	}
	return 150
}

// drawWaits draws what all goroutines waited in the frame, if that is worth telling. It ends at the right of r, and
// returns its width.
func (c *canvas) drawWaits(i *process.FrameInfo, r rect) float32 {
	c.buffer = i.AppendWaits(c.buffer[:0])
	if len(c.buffer) == 0 {
		return 0
	}
	x := r.x1 - 10*c.em
	width := c.BytesWidth(draw.FaceSmall, c.buffer)
	c.TextBytes(x-width, c.baseline(r.y0, r.y1, draw.FaceSmall), width+c.em, draw.FaceSmall, c.buffer, c.TextNormal)
	c.explain(rect{x - width, r.y0, x, r.y1}, "all goroutines", waitsTip)
	return width + 10*c.em
}

// explainParts requests a tip for busy and waiting time, with the processor time, if it is known.
func (c *canvas) explainParts(i *process.FrameInfo, at rect) {
	if !c.tip.accepts(c.hovers(at)) {
		return
	}
	c.explain(at, "busy and waiting", partsTip)
	if busy := i.Processors(); busy > 0 {
		b := append(draw.AppendFixed(append(c.tip.number, "all threads: CPU "...), i.CPU, 2), " ms, "...)
		c.tip.number = append(draw.AppendFixed(b, busy, 2), " processors"...)
	}
}

// appendOf names the frame, or the mean of frames, that the numbers on the screen are of.
func (d *shown) appendOf(b []byte) []byte {
	i := &d.info
	switch {
	case i.Lens.Kind != process.LensOff && i.LensFrames == 1:
		return append(b, "average of 1 frame"...)
	case i.Lens.Kind != process.LensOff:
		return append(draw.AppendFixed(append(b, "average of "...), float64(i.LensFrames), 0), " frames"...)
	case i.Averaged():
		return append(b, averageWords[min(i.Average, process.AverageInstant)]...)
	}
	return draw.AppendFixed(append(b, "frame "...), float64(i.Index), 0)
}

// paceColor returns green for a frame that was on time, amber for one over its budget or late because it waited, and
// red for one that was busy for twice the budget.
func (c *canvas) paceColor(i *process.FrameInfo) color.NRGBA {
	switch pace := i.Pace(); {
	case pace == process.PaceOver && i.Busy > 2*i.Budget.Seconds()*1000:
		return c.Red
	case pace != process.PaceOnTime:
		return c.Amber
	}
	return c.Green
}

// drawMore draws further numbers, each below its name, as far as there is room.
func drawMore(c *canvas, d *shown, r rect, x, limit float32) {
	i := &d.info
	if i.Frames == 0 {
		return
	}
	for _, m := range [...]struct {
		name  string
		value float64
		tip   string
	}{
		{"max 5 s", i.MaxHold, maxHoldTip},
		{"p99", i.P99, p99Tip}, {"budget", i.Budget.Seconds() * 1000, budgetTip},
	} {
		width := 58 * c.em
		if x+width > limit {
			return
		}
		y := (r.y0 + r.y1) / 2
		c.explain(rect{x, y - 14*c.em, x + width - 4*c.em, y + 14*c.em}, m.name, m.tip)
		c.left(x, width, rect{0, y - 14*c.em, 0, y}, draw.FaceSmall, m.name, c.TextFaint)
		c.buffer = draw.AppendFixed(c.buffer[:0], m.value, 2)
		c.ASCII(x, c.baseline(y, y+14*c.em, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextDim)
		x += width
	}
}
