package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/strip"
)

// pictureUnderMouse returns the program's picture of the frame under the mouse, and its place; nil without one.
func (h *historyPart) pictureUnderMouse() (frame report.FramePicture, at canvas.Rect) {
	d, index, known := &h.scene, uint64(0), false
	if len(d.Pictures) == 0 {
		return frame, at
	}
	switch d.Hover.Kind {
	case hit.Graph, hit.Axis:
		index, known = h.frameOfAge(d.Hover.Age)
		at = h.Place
		at.X0, at.X1 = d.ColumnEdges(h.Plot, d.Hover.Age)
	case hit.Slow:
		known = d.Hover.Index >= 0 && d.Hover.Index < len(d.Slowest)
		index, _ = strip.SlowFrame(d, d.Hover.Index)
		if area := h.canvas.AreaAt(h.canvas.Hover.X, h.canvas.Hover.Y); area != nil {
			at = area.Rect
		}
	}
	for i := range d.Pictures {
		if known && d.Pictures[i].Frame == index {
			return d.Pictures[i], at
		}
	}
	return frame, at
}

// drawPicture draws the program's picture of the frame under the mouse, below its place, or above it without room
// below.
func (h *historyPart) drawPicture(screen canvas.Rect) {
	if h.overlay.menu != menuNone || h.overlay.page != 0 {
		return
	}
	frame, at := h.pictureUnderMouse()
	m := frame.Picture
	if m == nil {
		return
	}
	c := &h.canvas
	pixel := max(draw.Snap(c.Em), 1)
	width, height := float32(m.Width)*pixel+24*c.Em, float32(m.Height)*pixel+(14+20)*c.Em
	x, below, above := at.X0-width/2, at.Y1+4*c.Em, at.Y0-4*c.Em-height
	y := below
	if below+height > screen.Y1-4*c.Em || h.scene.Hover.Kind == hit.Slow && above > screen.Y0 { // its tip is below
		y = above
	}
	if y < screen.Y0 {
		return
	}
	in := c.TipGround(screen, x, y, width, height)
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "Frame "...), float64(frame.Frame), 0)
	c.Buffer = append(c.Buffer, " showed"...)
	head := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+18*c.Em)
	c.Bytes(in.X0, in.Width(), head, draw.FaceSmall, c.Buffer, c.TextDim)
	pixels(c, m, draw.Snap(in.X0), draw.Snap(in.Y0+20*c.Em), pixel)
}

// pixels draws a picture with a square for each pixel. It merges equal neighbouring pixels into one rectangle.
func pixels(c *canvas.Canvas, m *report.Picture, x, y, pixel float32) {
	for row := range m.Height {
		line := m.Pixels[3*row*m.Width : 3*(row+1)*m.Width]
		y0 := y + float32(row)*pixel
		for from := 0; from < m.Width; {
			to := from + 1
			for to < m.Width && [3]byte(line[3*to:]) == [3]byte(line[3*from:]) {
				to++
			}
			fill := color.NRGBA{line[3*from], line[3*from+1], line[3*from+2], 255}
			c.Rect(x+float32(from)*pixel, y0, x+float32(to)*pixel, y0+pixel, fill)
			from = to
		}
	}
}
