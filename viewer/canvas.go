package viewer

import (
	"image/color"

	"example.com/iprof/draw"
)

// These colours are the same in all themes.
var (
	onColor = color.NRGBA{12, 16, 22, 255} // text on a zone's colour
	white   = color.NRGBA{255, 255, 255, 255}
)

// longestName is the greatest number of bytes of a name that are laid out.
const longestName = 256

// finite reports whether v is neither an infinity nor NaN. For those, v-v is NaN.
func finite(v float32) bool { return v-v == 0 }

func abs(v float32) float32 { return max(v, -v) }

// rect is a rectangle in pixels.
type rect struct{ x0, y0, x1, y1 float32 }

func (r rect) width() float32  { return r.x1 - r.x0 }
func (r rect) height() float32 { return r.y1 - r.y0 }

func (r rect) contains(x, y float32) bool { return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1 }

// inset returns r made smaller by dx and dy on each side.
func (r rect) inset(dx, dy float32) rect { return rect{r.x0 + dx, r.y0 + dy, r.x1 - dx, r.y1 - dy} }

// point is a place on the screen. If here is false, there is none.
type point struct {
	x, y float32
	here bool
}

// canvas is a draw.List with the drawing functions that all parts of the screen share.
type canvas struct {
	*draw.List
	*draw.Palette
	em        float32                                 // pixels in a nominal pixel
	zones     *[draw.NumThemes]map[string]color.NRGBA // colours, by name
	theme     draw.Theme
	precision int
	glass     bool // the host's picture is visible behind the panel
	areas     []area
	hover     point
	buffer    []byte // for formatting one number
	tip       tip
}

// halfCap is half the height of capital letters, per face, in nominal pixels. Text is centred by it.
var halfCap = [draw.NumFaces]float32{4.7, 4.7, 4.2, 4.6, 3.9, 8.4}

// baseline returns the baseline of a line of text that is centred between two heights.
func (c *canvas) baseline(y0, y1 float32, face draw.Face) float32 {
	return draw.Snap((y0+y1)/2 + halfCap[face]*c.em)
}

// left draws text from x, centred between the heights of r. It cuts the text to the width, and returns the width used.
func (c *canvas) left(x, width float32, r rect, face draw.Face, s string, col color.NRGBA) float32 {
	return c.TextCut(x, c.baseline(r.y0, r.y1, face), width, face, s, col)
}

// signed draws a zone's name. A zone whose time is estimated has a sign before the name.
func (c *canvas) signed(x, width float32, r rect, face draw.Face, sign, name string, col color.NRGBA) float32 {
	taken := c.left(x, width, r, face, sign, col)
	return taken + c.left(x+taken, width-taken, r, face, name, col)
}

// text draws text from a buffer. It works as left does.
func (c *canvas) text(x, width float32, r rect, face draw.Face, b []byte, col color.NRGBA) float32 {
	return c.TextBytes(x, c.baseline(r.y0, r.y1, face), width, face, b, col)
}

// right draws text that ends at x, and returns its width.
func (c *canvas) right(x float32, r rect, face draw.Face, s string, col color.NRGBA) float32 {
	return c.TextRight(x, c.baseline(r.y0, r.y1, face), face, s, col)
}

// number draws v so that it ends at x, and returns its width.
func (c *canvas) number(x float32, r rect, face draw.Face, v float64, decimals int, col color.NRGBA) float32 {
	c.buffer = draw.AppendFixed(c.buffer[:0], v, decimals)
	return c.ASCIIRight(x, c.baseline(r.y0, r.y1, face), face, c.buffer, col)
}

// card draws the ground of a part of the screen, and returns the room inside.
func (c *canvas) card(r rect) rect {
	r = rect{draw.Snap(r.x0), draw.Snap(r.y0), draw.Snap(r.x1), draw.Snap(r.y1)}
	ground, edge := c.Surface, c.Outline
	if c.glass {
		ground.A, edge.A = 222, 200
	}
	c.Round(r.x0, r.y0, r.x1, r.y1, 7*c.em, ground)
	c.Border(r.x0, r.y0, r.x1, r.y1, 7*c.em, edge)
	c.add(r, hitOf(HitPanel, 0))
	return r.inset(12*c.em, 6*c.em)
}

// chip draws a word on a raised ground with its left edge at x, and returns the width.
func (c *canvas) chip(x float32, r rect, s string, ground, col color.NRGBA) float32 {
	width := c.Width(draw.FaceSmall, s) + 12*c.em
	y := (r.y0 + r.y1) / 2
	c.Round(x, y-9*c.em, x+width, y+9*c.em, 4*c.em, ground)
	c.left(x+6*c.em, width, r, draw.FaceSmall, s, col)
	return width
}

// button draws a word that runs a command when it is pressed. The word ends at x. It returns the x where the next
// button may end. Without room it draws nothing.
func (c *canvas) button(x, limit float32, r rect, word, name string) float32 {
	width := c.Width(draw.FaceSmall, word) + 14*c.em
	box := rect{draw.Snap(x - width), r.y0 - c.em, draw.Snap(x), r.y1 + c.em}
	if box.x0 < limit {
		return x
	}
	ground, col := c.Raised, c.TextDim
	if c.hovers(box) {
		ground, col = c.Tab, c.TextBright
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, ground)
	c.left(box.x0+7*c.em, width, r, draw.FaceSmall, word, col)
	c.add(box, command(name))
	return box.x0 - 6*c.em
}

// hovers reports whether the mouse is over r.
func (c *canvas) hovers(r rect) bool { return c.hover.here && r.contains(c.hover.x, c.hover.y) }
