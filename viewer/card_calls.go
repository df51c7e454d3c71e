package viewer

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// callSpread is the distribution of the single calls of a zone, read every few Draws.
type callSpread struct {
	process.CallSpread
	zone process.ZoneID
	more bool // they are counted while the card is open
	wait int  // number of Draws until the calls are read again
}

// callsEvery is the number of Draws between two reads of the calls. Reading them costs more than the rest of the card.
const callsEvery = 15

// decadeRow is the height of the labels above the bars, in nominal pixels.
const decadeRow = 12

// due reports whether this Draw reads the calls.
func (s *callSpread) due() bool { return s.wait <= 0 }

// take takes the calls, if this Draw has read them.
func (s *callSpread) take(a *process.Around) {
	s.more = a.Counts
	if s.zone == a.Zone && s.wait > 0 {
		s.wait--
		return
	}
	s.zone, s.wait = a.Zone, callsEvery
	s.Take(a.Calls)
}

// height returns the share of the height that a bar of n calls has: by the square root, so that one common length does
// not flatten all others.
func (s *callSpread) height(n uint64) float32 {
	return float32(math.Sqrt(float64(n) / math.Max(float64(s.Most), 1)))
}

// decades draws a line at each power of ten, because the scale of the times is logarithmic. Its label is above the
// bars.
func (s *callSpread) decades(c *canvas, bars rect) {
	shortest, longest := s.Ends()
	if !(longest > shortest) {
		return
	}
	for ms := math.Pow(10, math.Ceil(math.Log10(shortest))); ms < longest; ms *= 10 {
		x := bars.x0 + float32(s.Place(ms))*bars.width()
		c.Rect(x, bars.y0-decadeRow*c.em, x+draw.Hairline(c.em), bars.y1, c.GridLine)
		c.buffer = appendDuration(c.buffer[:0], ms)
		if width := c.BytesWidth(draw.FaceSmall, c.buffer); x+width+6*c.em < bars.x1 {
			line := rect{0, bars.y0 - decadeRow*c.em, 0, bars.y0}
			c.text(x+3*c.em, width, line, draw.FaceSmall, c.buffer, c.TextFaint)
		}
	}
}

// draw draws the distribution as bars, with the ends of the scale and the quantiles below.
func (s *callSpread) draw(c *canvas, r rect, col color.NRGBA) {
	head := rect{r.x0, r.y0, r.x1, r.y0 + 15*c.em}
	c.left(r.x0, r.width(), head, draw.FaceSmall, "single calls", c.TextFaint)
	if s.Count == 0 {
		none := "none yet: counted while this is open"
		if !s.more {
			none = "none in this capture"
		}
		c.right(r.x1, head, draw.FaceSmall, none, c.TextFaint)
		return
	}
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(s.Count), 0), " counted, average "...)
	c.buffer = appendDuration(c.buffer, s.Mean)
	c.asciiOrMicro(r.x1, head, c.TextFaint)
	bars := rect{r.x0, head.y1 + (2+decadeRow)*c.em, r.x1, r.y1 - 16*c.em}
	c.Rect(bars.x0, bars.y1, bars.x1, bars.y1+draw.Hairline(c.em), c.GridLine)
	s.decades(c, bars)
	step := bars.width() / process.SpreadBars
	for i, n := range s.Bars {
		if n > 0 {
			x := bars.x0 + float32(i)*step
			height := max(s.height(n)*bars.height(), 2*c.em)
			c.Rect(x, bars.y1-height, x+step-max(1, draw.Snap(c.em)), bars.y1, draw.Mix(col, c.Surface, 0.25))
		}
	}
	s.scale(c, rect{r.x0, bars.y1 + 2*c.em, r.x1, r.y1})
}

// scale writes the ends of the scale and the quantiles.
func (s *callSpread) scale(c *canvas, r rect) {
	shortest, longest := s.Ends()
	for i, v := range [...]struct {
		name string
		ms   float64
	}{{"", shortest}, {"p50 ", s.Quantile(0.5)}, {"p90 ", s.Quantile(0.9)}, {"p99 ", s.Quantile(0.99)}, {"", longest}} {
		c.buffer = appendDuration(append(c.buffer[:0], v.name...), v.ms)
		width := c.BytesWidth(draw.FaceSmall, c.buffer)
		c.asciiOrMicro(r.x0+float32(i)/4*(r.width()-width)+width, r, c.TextDim)
	}
}

// asciiOrMicro draws the buffer so that it ends at x. The buffer may contain the letter µ.
func (c *canvas) asciiOrMicro(x float32, r rect, col color.NRGBA) {
	c.text(x-c.BytesWidth(draw.FaceSmall, c.buffer), 1e6, r, draw.FaceSmall, c.buffer, col)
}

// appendDuration appends a time with about three digits, in ns, µs or ms.
func appendDuration(b []byte, ms float64) []byte {
	unit, v := " ms", ms
	switch {
	case ms < 1e-3:
		unit, v = " ns", ms*1e6
	case ms < 1:
		unit, v = " µs", ms*1e3
	}
	decimals := 0
	if v < 9.95 && unit != " ns" {
		decimals = 2
	} else if v < 99.5 && unit != " ns" {
		decimals = 1
	}
	return append(draw.AppendFixed(b, v, decimals), unit...)
}
