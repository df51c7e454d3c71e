package gl

import "image/color"

// hostText is a draw.TextSink. It keeps the host's text until everything below the text is drawn.
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

// Print keeps a text for later. It copies the string, because the caller may change its memory afterwards.
func (h *hostText) Print(x, y float32, s string, c color.RGBA) {
	h.calls = append(h.calls, textCall{x, y, string([]byte(s)), c})
}

// Width returns the width that the host's function returns.
func (h *hostText) Width(s string) float32 { return h.width(s) }

// flush passes the texts to the host, in their order.
func (h *hostText) flush() {
	for _, c := range h.calls {
		h.print(c.x, c.y, c.s, c.c)
	}
	clear(h.calls)
	h.calls = h.calls[:0]
}
