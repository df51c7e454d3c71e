package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// pictureUnderMouse returns what the frame under the mouse showed, and its place; nil if that is not known.
func (p *Panel) pictureUnderMouse() (frame process.FramePicture, at rect) {
	d, index, known := &p.shown, uint64(0), false
	if len(d.Pictures) == 0 {
		return frame, at
	}
	switch d.hover.Kind {
	case HitGraph, HitAxis:
		index, known = p.frameOfAge(d.hover.Age)
		at = p.strip.place
		at.x0, at.x1 = d.columnEdges(p.strip.plot, d.hover.Age)
	case HitSlow:
		if known = d.hover.Index >= 0 && d.hover.Index < len(p.slowest.frames); known {
			index = p.slowest.frames[d.hover.Index].Index
		}
		if area := p.canvas.areaAt(p.canvas.hover.x, p.canvas.hover.y); area != nil {
			at = area.rect
		}
	}
	for i := range d.Pictures {
		if known && d.Pictures[i].Frame == index {
			return d.Pictures[i], at
		}
	}
	return frame, at
}

// drawPicture draws what the frame under the mouse showed, below its place, or above it where there is no room below.
func (p *Panel) drawPicture(screen rect) {
	if p.menu.kind != menuNone || p.help.page != 0 {
		return
	}
	frame, at := p.pictureUnderMouse()
	m := frame.Picture
	if m == nil {
		return
	}
	c := &p.canvas
	pixel := max(draw.Snap(c.em), 1)
	width, height := float32(m.Width)*pixel+24*c.em, float32(m.Height)*pixel+(14+20)*c.em
	x, below, above := at.x0-width/2, at.y1+4*c.em, at.y0-4*c.em-height
	y := below
	if below+height > screen.y1-4*c.em || p.shown.hover.Kind == HitSlow && above > screen.y0 { // its tip is below
		y = above
	}
	if y < screen.y0 {
		return
	}
	in := c.tipGround(screen, x, y, width, height)
	c.buffer = draw.AppendFixed(append(c.buffer[:0], "Frame "...), float64(frame.Frame), 0)
	c.buffer = append(c.buffer, " showed"...)
	head := rect{in.x0, in.y0, in.x1, in.y0 + 18*c.em}
	c.text(in.x0, in.width(), head, draw.FaceSmall, c.buffer, c.TextDim)
	c.pixels(m, draw.Snap(in.x0), draw.Snap(in.y0+20*c.em), pixel)
}

// pixels draws a picture, with each pixel a square. Equal pixels beside each other are one rectangle.
func (c *canvas) pixels(m *process.Picture, x, y, pixel float32) {
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
