package card

import (
	"image/color"
	"math"
	"strconv"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// callSpread is the distribution of the single calls of a zone, read every few Draws.
type callSpread struct {
	report.CallSpread
	zone    report.ZoneID
	tick    float64 // the clock's resolution in ms: see report.Report
	counted bool    // counted while the card is open
	since   uint64  // the frame in which that began, 0 if calls were counted before
	frames  int     // number of frames whose events have the calls, 0 if the program counted them
	more    bool    // the calls of older frames will come
	wait    int     // number of Draws until the next read
	callers []callerBars
}

// callerBars are the bars of the calls by one caller.
type callerBars struct {
	caller report.ZoneID
	bars   [report.SpreadBars]uint64
}

// callsEvery is the number of Draws between two reads of the calls. Reading them costs more than the rest of the card.
const callsEvery = 15

// decadeRow is the height of the labels above the bars, in nominal pixels.
const decadeRow = 12

// due reports whether this Draw reads the calls.
func (s *callSpread) due() bool { return s.wait <= 0 }

// take takes the calls, if this Draw has read them. newest is the number of the newest frame.
func (s *callSpread) take(a *report.Around, newest uint64, more bool) {
	s.counted, s.tick = a.Counts, a.Report.Tick
	if s.zone == a.Zone && s.wait > 0 {
		s.wait--
		return
	}
	other := s.zone != a.Zone
	s.zone, s.wait, s.more = a.Zone, callsEvery, more
	if more {
		s.wait = 0
	}
	if s.Take(a.Calls); other {
		s.since = newest
		if s.Count > 0 {
			s.since = 0
		}
	}
	s.frames, s.callers = a.CallFrames, s.callers[:0]
	for i := range a.Callers {
		of := callerBars{caller: a.Callers[i].Caller}
		for _, b := range a.Callers[i].Calls {
			at := int(s.Place((b.Low+b.High)/2) * report.SpreadBars)
			of.bars[min(max(at, 0), report.SpreadBars-1)] += b.Count
		}
		s.callers = append(s.callers, of)
	}
}

// appendCount appends the number of calls, and since when they are counted.
func (s *callSpread) appendCount(b []byte, unit string) []byte {
	b = draw.AppendFixed(b, float64(s.Count), 0)
	switch {
	case s.frames > 0:
		b = printed.AppendCount(append(b, " in "...), s.frames, unit)
		if b = append(b, " with events"...); s.more {
			b = append(b, " so far"...)
		}
		return b
	case !s.counted:
		return append(b, " in this capture"...)
	case s.since > 0:
		return strconv.AppendUint(append(b, " since frame "...), s.since, 10)
	}
	return append(b, " since counting began"...)
}

// height returns the relative height of a bar of n calls. It grows with the square root, so that one common length does
// not flatten all others.
func (s *callSpread) height(n uint64) float32 {
	return float32(math.Sqrt(float64(n) / math.Max(float64(s.Most), 1)))
}

// decades draws a line at each power of ten, because the scale of the times is logarithmic. Its label is above the
// bars.
func (s *callSpread) decades(c *canvas.Canvas, bars canvas.Rect) {
	shortest, longest := s.Ends()
	if !(longest > shortest) {
		return
	}
	for ms := math.Pow(10, math.Ceil(math.Log10(shortest))); ms < longest; ms *= 10 {
		x := bars.X0 + float32(s.Place(ms))*bars.Width()
		c.Rect(x, bars.Y0-decadeRow*c.Em, x+draw.Hairline(c.Em), bars.Y1, c.GridLine)
		c.Buffer = appendDuration(c.Buffer[:0], ms, 0)
		if width := c.BytesWidth(draw.FaceSmall, c.Buffer); x+width+6*c.Em < bars.X1 {
			line := canvas.Box(0, bars.Y0-decadeRow*c.Em, 0, bars.Y0)
			c.Bytes(x+3*c.Em, width, line, draw.FaceSmall, c.Buffer, c.TextFaint)
		}
	}
}

// drawCalls draws the distribution as bars, with the ends of the scale and the quantiles below.
func (z *Card) drawCalls(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, col color.NRGBA) {
	s := &z.calls
	head := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+15*c.Em)
	c.Left(r.X0, r.Width(), head, draw.FaceSmall, "single calls", c.TextFaint)
	if s.Count == 0 {
		none := "none yet: counted while this is open"
		if !s.counted {
			none = "none in this capture"
		}
		if s.frames > 0 {
			c.Buffer = s.appendCount(c.Buffer[:0], frameWord(d))
			c.ASCIIRight(r.X1, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextFaint)
			return
		}
		c.Right(r.X1, head, draw.FaceSmall, none, c.TextFaint)
		return
	}
	c.Buffer = append(s.appendCount(c.Buffer[:0], frameWord(d)), ", average "...)
	c.Buffer = appendDuration(c.Buffer, s.Mean, 0)
	c.ASCIIRight(r.X1, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextFaint)
	bars := canvas.Box(r.X0, head.Y1+(2+decadeRow)*c.Em, r.X1, r.Y1-16*c.Em)
	c.Rect(bars.X0, bars.Y1, bars.X1, bars.Y1+draw.Hairline(c.Em), c.GridLine)
	s.decades(c, bars)
	for i := range s.Bars {
		z.callBar(c, d, bars, i, col)
	}
	z.brushed(c, ofCalls, bars)
	z.scale(c, canvas.Box(r.X0, bars.Y1+3*c.Em, r.X1, r.Y1))
}

// callBar draws one bar, with a part for each caller if there are several. The caller under the mouse stands out.
func (z *Card) callBar(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, at int, col color.NRGBA) {
	s := &z.calls
	n, step := s.Bars[at], r.Width()/report.SpreadBars
	if n == 0 {
		return
	}
	x := r.X0 + float32(at)*step
	end, y := x+step-max(1, draw.Snap(c.Em)), r.Y1
	height := max(s.height(n)*r.Height(), 2*c.Em)
	if len(s.callers) < 2 {
		c.Rect(x, y-height, end, y, draw.Mix(col, c.Surface, 0.25))
		return
	}
	over := d.ZoneUnderMouse()
	for i := range s.callers {
		of := &s.callers[i]
		if of.bars[at] == 0 {
			continue
		}
		zone, fade := d.Zone(of.caller), float32(0.25)
		if over >= 0 && over != of.caller {
			fade = 0.7
		}
		top := y - height*float32(of.bars[at])/float32(n)
		c.Rect(x, top, end, y, draw.Mix(d.ColorOf(c, of.caller, zone.Name, zone.Idle), c.Surface, fade))
		y = top
	}
}

// scale writes the ends of the scale and the quantiles.
func (z *Card) scale(c *canvas.Canvas, r canvas.Rect) {
	s := &z.calls
	shortest, longest := s.Ends()
	for i, v := range [...]struct {
		name string
		ms   float64
	}{{"", shortest}, {"p50 ", s.Quantile(0.5)}, {"p90 ", s.Quantile(0.9)}, {"p99 ", s.Quantile(0.99)}, {"", longest}} {
		c.Buffer = appendDuration(append(c.Buffer[:0], v.name...), v.ms, s.tick)
		width := c.ASCIIWidth(draw.FaceSmall, c.Buffer)
		if x := r.X0 + float32(i)/4*(r.Width()-width); v.name != "" {
			z.pick(c, canvas.Box(x-3*c.Em, r.Y0, x+width+3*c.Em, r.Y1), true, v.ms, 0)
		}
		c.ASCII(r.X0+float32(i)/4*(r.Width()-width), c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer,
			c.TextDim)
	}
}

// appendDuration appends a time with about three digits, in ns, µs or ms, or in longer units if it is long. It leaves
// out decimals below the clock's resolution tick.
func appendDuration(b []byte, ms, tick float64) []byte {
	unit, of := " ms", 1.0
	switch {
	case ms >= 1e4:
		return draw.AppendTime(b, ms, 0)
	case ms < 1e-3:
		unit, of = " ns", 1e-6
	case ms < 1:
		unit, of = " µs", 1e-3
	}
	v, decimals := ms/of, 0
	if v < 9.95 && unit != " ns" {
		decimals = 2
	} else if v < 99.5 && unit != " ns" {
		decimals = 1
	}
	return append(draw.AppendFixed(b, v, report.Decimals(decimals, of, tick)), unit...)
}

// drawDepths draws the number of entries of a recursive zone at each depth, the outermost first: a bar and a number
// each.
func drawDepths(c *canvas.Canvas, depths []float64, r canvas.Rect) {
	const heading = "calls by depth"
	c.Left(r.X0, r.Width(), r, draw.FaceSmall, heading, c.TextFaint)
	x, most := r.X0+c.Width(draw.FaceSmall, heading)+10*c.Em, 0.0
	for _, n := range depths {
		most = max(most, n)
	}
	for i, n := range depths {
		c.Buffer = draw.AppendCount(c.Buffer[:0], n)
		if i == report.MaxDepths-1 {
			c.Buffer = append(c.Buffer, '+')
		}
		width := c.BytesWidth(draw.FaceSmall, c.Buffer)
		if x+width+6*c.Em > r.X1 {
			return
		}
		if height := float32(n/max(most, 1)) * (r.Height() - 4*c.Em); height > 0 {
			c.Rect(x, r.Y1-2*c.Em-height, x+3*c.Em, r.Y1-2*c.Em, c.TextFaint)
		}
		c.Bytes(x+6*c.Em, width, r, draw.FaceSmall, c.Buffer, c.TextNormal)
		x += width + 14*c.Em
	}
}
