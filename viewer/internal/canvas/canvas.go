// Package canvas is the kit that draws the profiler's screen: text, cards, chips and buttons in a draw.List, the tip of
// the place under the mouse, and the areas that react to it. It does not depend on the profiler's data.
package canvas

import (
	"bytes"
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/viewer/hit"
)

// These colours are the same in all themes.
var (
	OnColor = color.NRGBA{0, 0, 0, 255} // text on a zone's colour
	white   = color.NRGBA{255, 255, 255, 255}
)

// LongestName is the greatest number of bytes of a drawn name.
const LongestName = 256

// Finite reports whether v is neither an infinity nor NaN. For those, v-v is NaN.
func Finite(v float32) bool { return v-v == 0 }

// Abs returns v without its sign.
func Abs(v float32) float32 { return max(v, -v) }

// Rect is a rectangle in pixels.
type Rect struct{ X0, Y0, X1, Y1 float32 }

// Box returns the rectangle between two corners.
func Box(x0, y0, x1, y1 float32) Rect { return Rect{x0, y0, x1, y1} }

// Width returns the distance between the left and the right side.
func (r Rect) Width() float32 { return r.X1 - r.X0 }

// Height returns the distance between the upper and the lower side.
func (r Rect) Height() float32 { return r.Y1 - r.Y0 }

// Contains reports whether a place is inside. The right and the lower side are outside.
func (r Rect) Contains(x, y float32) bool { return x >= r.X0 && x < r.X1 && y >= r.Y0 && y < r.Y1 }

// Inset returns r made smaller by dx and dy on each side.
func (r Rect) Inset(dx, dy float32) Rect { return Rect{r.X0 + dx, r.Y0 + dy, r.X1 - dx, r.Y1 - dy} }

// Point is a place on the screen, or no place if Here is false.
type Point struct {
	X, Y float32
	Here bool
}

// At returns the point of a place, or no place if here is false.
func At(x, y float32, here bool) Point { return Point{x, y, here} }

// Canvas is a draw.List with the drawing functions that all parts of the screen share.
type Canvas struct {
	*draw.List
	*draw.Palette
	Em    float32 // pixels in a nominal pixel
	Theme draw.Theme
	Decimals
	Glass  bool // the host's picture is visible behind the panel
	Areas  []Area
	Hover  Point
	Buffer []byte // for formatting one number
	Tip    Tip
}

// Decimals holds the numbers of decimals for milliseconds.
type Decimals struct {
	Precision int // of one frame: the reader's choice, limited by the clock's resolution
	Averages  int // of averages: the reader's choice, which may exceed the clock's resolution
	clock     int // decimals of the clock's resolution
}

// DecimalsOf returns the decimals for a reader's choice and a clock's decimals.
func DecimalsOf(chosen, clock int) Decimals { return Decimals{min(chosen, clock), chosen, clock} }

// Told returns the decimals of a time of one frame without the reader's choice: wanted, limited by the clock's
// resolution.
func (d *Decimals) Told(wanted int) int { return min(wanted, d.clock) }

// Of returns the decimals of times that may be averages.
func (d *Decimals) Of(averaged bool) int {
	if averaged {
		return d.Averages
	}
	return d.Precision
}

// halfCap is half the height of capital letters, per face, in nominal pixels. Text is centred by it.
var halfCap = [draw.NumFaces]float32{4.7, 4.7, 4.2, 4.6, 3.9, 8.4}

// Baseline returns the baseline of a line of text centred between two heights.
func (c *Canvas) Baseline(y0, y1 float32, face draw.Face) float32 {
	return draw.Snap((y0+y1)/2 + halfCap[face]*c.Em)
}

// Left draws text from x, centred between the heights of r. It cuts the text to the width, and returns the width used.
func (c *Canvas) Left(x, width float32, r Rect, face draw.Face, s string, col color.NRGBA) float32 {
	return c.TextCut(x, c.Baseline(r.Y0, r.Y1, face), width, face, s, col)
}

// Signed draws a zone's name. A zone whose time is estimated has a sign before the name.
func (c *Canvas) Signed(x, width float32, r Rect, face draw.Face, sign, name string, col color.NRGBA) float32 {
	taken := c.Left(x, width, r, face, sign, col)
	return taken + c.Left(x+taken, width-taken, r, face, name, col)
}

// Bytes is Left for text in a buffer.
func (c *Canvas) Bytes(x, width float32, r Rect, face draw.Face, b []byte, col color.NRGBA) float32 {
	return c.TextBytes(x, c.Baseline(r.Y0, r.Y1, face), width, face, b, col)
}

// Right draws text that ends at x, and returns its width.
func (c *Canvas) Right(x float32, r Rect, face draw.Face, s string, col color.NRGBA) float32 {
	return c.TextRight(x, c.Baseline(r.Y0, r.Y1, face), face, s, col)
}

// Number draws v so that it ends at x, and returns its width.
func (c *Canvas) Number(x float32, r Rect, face draw.Face, v float64, decimals int, col color.NRGBA) float32 {
	c.Buffer = draw.AppendFixed(c.Buffer[:0], v, decimals)
	return c.ASCIIRight(x, c.Baseline(r.Y0, r.Y1, face), face, c.Buffer, col)
}

// Milliseconds draws a time so that it ends at x, and returns its width. Long times have their unit, without a space
// and with one decimal at most, because there is little room. The unit of others is in a heading.
func (c *Canvas) Milliseconds(x float32, r Rect, face draw.Face, ms float64, decimals int, col color.NRGBA) float32 {
	v, unit, decimals := draw.TimeInUnit(ms, decimals)
	if unit != draw.Milliseconds {
		decimals = min(decimals, 1)
	}
	c.Buffer = draw.AppendFixed(c.Buffer[:0], v, decimals)
	if unit != draw.Milliseconds {
		c.Buffer = append(c.Buffer, unit...)
	}
	return c.ASCIIRight(x, c.Baseline(r.Y0, r.Y1, face), face, c.Buffer, col)
}

// Time draws a time with its unit so that it ends at x, and returns its width.
func (c *Canvas) Time(x float32, r Rect, face draw.Face, ms float64, decimals int, col, unit color.NRGBA) float32 {
	c.Buffer = draw.AppendTime(c.Buffer[:0], ms, decimals)
	at := bytes.LastIndexByte(c.Buffer, ' ')
	width := c.ASCIIRight(x, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer[at:], unit)
	return width + c.ASCIIRight(x-width, c.Baseline(r.Y0, r.Y1, face), face, c.Buffer[:at], col)
}

// Card draws the background of a part of the screen, and returns the room inside.
func (c *Canvas) Card(r Rect) Rect {
	r = Rect{draw.Snap(r.X0), draw.Snap(r.Y0), draw.Snap(r.X1), draw.Snap(r.Y1)}
	ground, edge := c.Surface, c.Outline
	if c.Glass {
		ground.A, edge.A = 222, 200
	}
	c.Round(r.X0, r.Y0, r.X1, r.Y1, 7*c.Em, ground)
	c.Border(r.X0, r.Y0, r.X1, r.Y1, 7*c.Em, edge)
	c.Add(r, hit.Of(hit.Panel, 0))
	return r.Inset(12*c.Em, 6*c.Em)
}

// Chip draws a word on a raised background with its left edge at x, and returns the width.
func (c *Canvas) Chip(x float32, r Rect, s string, ground, col color.NRGBA) float32 {
	width := c.Width(draw.FaceSmall, s) + 12*c.Em
	y := (r.Y0 + r.Y1) / 2
	c.Round(x, y-9*c.Em, x+width, y+9*c.Em, 4*c.Em, ground)
	c.Left(x+6*c.Em, width, r, draw.FaceSmall, s, col)
	return width
}

// Button draws a word that runs a command when it is pressed. The word ends at x. It returns the x where the next
// button may end. Without room it draws nothing.
func (c *Canvas) Button(x, limit float32, r Rect, word, name string) float32 {
	width := c.Width(draw.FaceSmall, word) + 14*c.Em
	box := Rect{draw.Snap(x - width), r.Y0 - c.Em, draw.Snap(x), r.Y1 + c.Em}
	if box.X0 < limit {
		return x
	}
	ground, col := c.Raised, c.TextDim
	if c.Hovers(box) {
		ground, col = c.Tab, c.TextBright
	}
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, ground)
	c.Left(box.X0+7*c.Em, width, r, draw.FaceSmall, word, col)
	c.Add(box, hit.OfCommand(name))
	return box.X0 - 6*c.Em
}

// Hovers reports whether the mouse is over r.
func (c *Canvas) Hovers(r Rect) bool { return c.Hover.Here && r.Contains(c.Hover.X, c.Hover.Y) }

// This file draws the marks of the user: see process.Session.Mark. Their texts are any bytes; lists escape unprintable
// characters.

// Pennant draws a line down from y0 with a flag at its top.
func (c *Canvas) Pennant(x, y0, y1 float32) {
	x = draw.Snap(x)
	c.Rect(x, y0, x+draw.Hairline(c.Em), y1, draw.Fade(c.TextBright, 0.45))
	c.Triangle(x, y0, x, y0+8*c.Em, x+8*c.Em, y0+4*c.Em, c.TextBright)
}

// Swatch draws the swatch of a colour before a name. y is its middle, and size its width in nominal pixels.
func (c *Canvas) Swatch(x, y, size float32, col color.NRGBA) {
	c.Round(x, y-size/2*c.Em, x+size*c.Em, y+size/2*c.Em, 3*c.Em, col)
}

// InkOn returns the colour of text on a zone's colour: white or black, which has the greater contrast. Their least
// contrast is 4.58. The luminance is computed with squares in place of the powers of sRGB.
func InkOn(col color.NRGBA) color.NRGBA {
	r, g, b := float32(col.R)/255, float32(col.G)/255, float32(col.B)/255
	if 0.2126*r*r+0.7152*g*g+0.0722*b*b < 0.212 {
		return white
	}
	return OnColor
}

// Mute returns a darker colour, for zones that are not under the mouse.
func Mute(c *Canvas, col color.NRGBA) color.NRGBA { return draw.Mix(col, c.Surface, 0.62) }

// Stripes draws upright stripes of the background colour over a box, so that it looks different from work.
func (c *Canvas) Stripes(r Rect, step, strength float32) {
	step = max(2, draw.Snap(step*c.Em))
	for x := r.X0 + step/2; x < r.X1; x += step {
		c.Rect(x, r.Y0, min(x+step/2, r.X1), r.Y1, draw.Fade(c.Background, strength))
	}
}

// Hatch draws slanted lines over a wait, from one x to another, so that it looks different from work in all themes. r
// has the height of a bar.
func (c *Canvas) Hatch(r Rect, from, to float32) {
	step, lean := 9*c.Em, r.Height()-4*c.Em
	first := r.X0 + 3*c.Em
	if from > first {
		first += step * float32(int((from-first)/step))
	}
	col := draw.Fade(c.TextFaint, 0.3)
	for x := first; x+lean < min(r.X1, to); x += step {
		c.Segment(x, r.Y1-2*c.Em, x+lean, r.Y0+2*c.Em, 1.5*c.Em, 0.5, col)
	}
}
