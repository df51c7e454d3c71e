package draw

import "image/color"

// lineHeight is the height of a row of text in nominal pixels.
const lineHeight = 17

// units converts a layout in pixels, y down, to the caller's units, y down or up.
type units struct {
	x, y  float32 // origin of the layout, in the caller's units
	k     float32 // the caller's units per layout pixel
	up    bool    // y grows up
	exact bool    // a layout pixel is exactly one device pixel
}

// unitsFor chooses the scale of a layout. Text is lineHeight units high. If lineSpacing differs much from lineHeight,
// the units have another size (character cells, say), and the text follows lineSpacing. scale is the number of device
// pixels per unit.
func unitsFor(x, y, lineSpacing, scale float32) (u units, atlas float32) {
	if !(scale > 0) {
		scale = 1
	}
	spacing := abs(lineSpacing)
	height := float32(lineHeight)
	if spacing > 0 {
		height = min(max(height, spacing*0.55), spacing*1.35)
	}
	atlas = scale * height / lineHeight
	if atlas < minScale {
		atlas = 1
	}
	atlas = float32(scaleSteps(atlas)) / scaleStep
	u = units{x: x, y: y, k: height / lineHeight / atlas, up: lineSpacing < 0}
	u.exact = abs(u.k*scale-1) < 1e-4
	if u.exact {
		u.x, u.y = Snap(x*scale)/scale, Snap(y*scale)/scale
	}
	return u, atlas
}

// convert converts the vertices from index first on to the caller's units.
func (u units) convert(l *List, first int) {
	ky := u.k
	if u.up {
		ky = -ky
	}
	l.Smooth = l.Smooth || !u.exact
	if u.k == 1 && ky == 1 && u.x == 0 && u.y == 0 {
		return
	}
	v := l.V[first:]
	if u.k == 1 && ky == 1 && u.x == 0 {
		for i := range v {
			v[i].Y += u.y
		}
		return
	}
	for i := range v {
		v[i].X, v[i].Y = u.x+float32(v[i].X*u.k), u.y+float32(v[i].Y*ky)
	}
}

// TextSink draws a host's own text. Lengths are in the host's units.
type TextSink interface {
	// Print draws s with its left end and baseline at (x, y).
	Print(x, y float32, s string, c color.RGBA)
	// Width returns the width of s.
	Width(s string) float32
}

// writer draws text into a list, or passes it to the host's sink.
type writer struct {
	*List
	units
	sink TextSink
}

// text draws s, cut to a width in pixels, and returns its width.
func (w *writer) text(x, baseline, width float32, face Face, s string, c color.NRGBA) float32 {
	if w.sink == nil {
		return w.TextCut(x, baseline, width, face, s, c)
	}
	s = w.fit(s, width*w.k)
	w.print(x, baseline, s, c)
	return w.sink.Width(s) / w.k
}

// right draws a number so that it ends at x.
func (w *writer) right(x, baseline float32, face Face, b []byte, c color.NRGBA) {
	if w.sink == nil {
		w.ASCIIRight(x, baseline, face, b, c)
		return
	}
	s := string(b)
	w.print(x-w.sink.Width(s)/w.k, baseline, s, c)
}

// width returns the width of s in pixels.
func (w *writer) width(face Face, s string) float32 {
	if w.sink == nil {
		return w.Width(face, s)
	}
	return w.sink.Width(s) / w.k
}

func (w *writer) print(x, baseline float32, s string, c color.NRGBA) {
	if s == "" {
		return
	}
	ky := w.k
	if w.up {
		ky = -ky
	}
	r, g, b, a := c.RGBA()
	w.sink.Print(w.x+x*w.k, w.y+baseline*ky, s, color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)})
}

// longest is the greatest number of bytes of a name that are measured.
const longest = 256

// fit cuts s to a width in the host's units and makes it safe to print.
func (w *writer) fit(s string, width float32) string {
	cut := len(s) > longest
	safe := Printable(s[:min(len(s), longest)])
	if !cut && w.sink.Width(safe) <= width {
		return safe
	}
	for n := len(safe); n > 0; n-- {
		if n < len(safe) && safe[n]&0xc0 == 0x80 {
			continue // within a character
		}
		if shorter := safe[:n] + "..."; w.sink.Width(shorter) <= width {
			return shorter
		}
	}
	return ""
}
