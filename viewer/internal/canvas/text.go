package canvas

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
)

const ellipsis = "…"

// SignedCut draws a zone's name with its sign, like Signed, and cuts it as Cut.
func (c *Canvas) SignedCut(x, width float32, r Rect, face draw.Face, sign, name string, col color.NRGBA) float32 {
	taken := c.Left(x, width, r, face, sign, col)
	return taken + c.Cut(x+taken, width-taken, r, face, name, col)
}

// Cut draws a text, without its middle where it is too long: names of one package differ at their ends, and names of
// one family at their beginnings.
func (c *Canvas) Cut(x, width float32, r Rect, face draw.Face, s string, col color.NRGBA) float32 {
	if head, tail := c.CutMiddle(face, s, width); head != "" {
		return c.Middle(x, r, face, head, tail, col)
	}
	return 0
}

// CutMiddle returns the beginning and the end of a text that fit a width around an ellipsis. A text that fits whole is
// a beginning without an end.
func (c *Canvas) CutMiddle(face draw.Face, s string, width float32) (head, tail string) {
	if len(s) <= LongestName && c.Width(face, s) <= width {
		return s, "" // without a call for each character
	}
	return printed.Middle(s, width, c.Width(face, ellipsis), func(char string) float32 { return c.Width(face, char) })
}

// Middle draws the results of CutMiddle, and returns their width.
func (c *Canvas) Middle(x float32, r Rect, face draw.Face, head, tail string, col color.NRGBA) float32 {
	const whole = 1e6
	used := c.Left(x, whole, r, face, head, col)
	if tail != "" {
		used += c.Left(x+used, whole, r, face, ellipsis, col)
		used += c.Left(x+used, whole, r, face, tail, col)
	}
	return used
}

// Entry draws a line of a tip: bullet, name and time with its decimals.
func (c *Canvas) Entry(r Rect, sign, name string, col color.NRGBA, ms float64, decimals int) {
	y := (r.Y0 + r.Y1) / 2
	c.Swatch(r.X0, y, 9, col)
	c.Buffer = draw.AppendMilliseconds(c.Buffer[:0], ms, decimals)
	used := c.ASCIIRight(r.X1, c.Baseline(r.Y0, r.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
	c.SignedCut(r.X0+17*c.Em, r.Width()-used-23*c.Em, r, draw.FaceSmall, sign, name, c.TextDim)
}
