package draw

import (
	"image/color"
	"math"

	"example.com/iprof/process"
)

// callSpread is how the calls of a zone lie, on a logarithmic scale: calls of one zone may differ a thousandfold.
type callSpread struct {
	zone    int32
	wait    int // Draws until the calls are read again
	buckets []process.CallBucket
	bins    [spreadBins]uint64
	most    uint64
	count   uint64
	mean    float64
}

// callsEvery is how many Draws go by until the calls are read again: that costs more than all else.
const callsEvery = 15

// follow has the calls of a zone counted, and of the one before no longer; -1 for none.
func (s *callSpread) follow(d *shown, zone int32) {
	if s.zone == zone {
		return
	}
	if s.zone > 0 {
		d.source.SetPerCall(s.zone, false)
	}
	s.zone, s.wait = zone, 0
	s.buckets, s.bins, s.most, s.count = s.buckets[:0], [spreadBins]uint64{}, 0, 0
	if zone > 0 {
		d.source.SetPerCall(zone, true)
	}
}

// read reads the calls counted so far, now and then.
func (s *callSpread) read(d *shown) {
	if s.wait--; s.wait >= 0 || s.zone <= 0 {
		return
	}
	s.wait = callsEvery
	s.buckets = d.source.AppendCalls(s.buckets[:0], s.zone)
	s.bins, s.most, s.count, s.mean = [spreadBins]uint64{}, 0, 0, 0
	for i := range s.buckets {
		b := &s.buckets[i]
		s.count += b.Count
		s.mean += float64(b.Count) * (b.Low + b.High) / 2
		bin := &s.bins[s.bin((b.Low+b.High)/2)]
		*bin += b.Count
		s.most = max(s.most, *bin)
	}
	s.mean /= math.Max(float64(s.count), 1)
}

// ends are the shortest and the longest call there is.
func (s *callSpread) ends() (shortest, longest float64) {
	if len(s.buckets) == 0 {
		return 0, 0
	}
	last := &s.buckets[len(s.buckets)-1]
	return max(s.buckets[0].Low, 1e-6), max(last.High, 1e-6)
}

// bin is the bar that a time belongs to.
func (s *callSpread) bin(ms float64) int {
	shortest, longest := s.ends()
	if !(longest > shortest) {
		return 0
	}
	return min(max(int(math.Log(ms/shortest)/math.Log(longest/shortest)*spreadBins), 0), spreadBins-1)
}

// quantile is the time that a share q of all calls does not exceed, within the width of a bucket.
func (s *callSpread) quantile(q float64) float64 {
	need, sum := uint64(math.Ceil(q*float64(s.count))), uint64(0)
	for i := range s.buckets {
		if sum += s.buckets[i].Count; sum >= need {
			return (s.buckets[i].Low + s.buckets[i].High) / 2
		}
	}
	return 0
}

// draw draws how many calls took how long: bars, the ends of the scale under them, and numbers.
func (s *callSpread) draw(c *canvas, r rect, col color.NRGBA) {
	head := rect{r.x0, r.y0, r.x1, r.y0 + 15*c.em}
	c.left(r.x0, r.width(), head, FaceSmall, "single calls", c.textFaint)
	if s.count == 0 {
		c.right(r.x1, head, FaceSmall, "none yet: counted while this is open", c.textFaint)
		return
	}
	c.buffer = append(appendFixed(c.buffer[:0], float64(s.count), 0), " counted, mean "...)
	c.buffer = appendDuration(c.buffer, s.mean)
	c.asciiOrMicro(r.x1, head, c.textFaint)
	bars := rect{r.x0, head.y1 + 2*c.em, r.x1, r.y1 - 16*c.em}
	c.Rect(bars.x0, bars.y1, bars.x1, bars.y1+ringWidth(c.em), c.gridLine)
	step := bars.width() / spreadBins
	for i, n := range s.bins {
		if n > 0 {
			x := bars.x0 + float32(i)*step
			height := max(float32(n)/float32(s.most)*bars.height(), 2*c.em)
			c.Rect(x, bars.y1-height, x+step-max(1, snap(c.em)), bars.y1, mix(col, c.surface, 0.25))
		}
	}
	s.scale(c, rect{r.x0, bars.y1 + 2*c.em, r.x1, r.y1})
}

// scale writes the ends of the scale, and quantiles between them.
func (s *callSpread) scale(c *canvas, r rect) {
	shortest, longest := s.ends()
	for i, v := range [...]struct {
		name string
		ms   float64
	}{{"", shortest}, {"p50 ", s.quantile(0.5)}, {"p90 ", s.quantile(0.9)}, {"p99 ", s.quantile(0.99)}, {"", longest}} {
		c.buffer = appendDuration(append(c.buffer[:0], v.name...), v.ms)
		width := c.bytesWidth(FaceSmall, c.buffer)
		c.asciiOrMicro(r.x0+float32(i)/4*(r.width()-width)+width, r, c.textDim)
	}
}

// asciiOrMicro draws the buffer, in which a time may stand, so that it ends at x.
func (c *canvas) asciiOrMicro(x float32, r rect, col color.NRGBA) {
	c.text(x-c.bytesWidth(FaceSmall, c.buffer), 1e6, r, FaceSmall, c.buffer, col)
}

// appendDuration appends a time in the unit that suits it, in three digits or so.
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
	return append(appendFixed(b, v, decimals), unit...)
}
