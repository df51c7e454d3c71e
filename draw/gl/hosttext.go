package gl

import "image/color"

// hostText keeps the text that the host wants to draw itself until everything below it is drawn. It is a draw.TextSink.
type hostText struct {
	print func(x, y float32, s string, c color.RGBA)
	width func(s string) float32
	calls []textCall
}

type textCall struct {
	x, y float32
	s    string
	c    color.RGBA
}

// Print keeps a text for later. The string is the caller's to change afterwards, so it is copied.
func (h *hostText) Print(x, y float32, s string, c color.RGBA) {
	h.calls = append(h.calls, textCall{x, y, string([]byte(s)), c})
}

// Width asks the host.
func (h *hostText) Width(s string) float32 { return h.width(s) }

// flush hands the texts to the host, in the order in which they came.
func (h *hostText) flush() {
	for _, c := range h.calls {
		h.print(c.x, c.y, c.s, c.c)
	}
	clear(h.calls)
	h.calls = h.calls[:0]
}
