package desk

import (
	"image/color"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/internal/changes"
)

// spread holds the distributions of the frame times before and after, as two histograms over one scale.
type spread struct {
	times     [2][]float32 // ms a frame
	low, high float32      // ends of the scale, ms
	bins      [2][]float32 // shares of the frames
	most      float32      // the greatest share
}

// The number of bins of a histogram grows with the number of frames.
const (
	fewestBins, mostBins = 16, 96
	framesInABin         = 12
)

// lay sorts the times into bins. The slowest two in a thousand are in the last bin: they would stretch the scale.
func (s *spread) lay() {
	all := slices.Concat(s.times[0], s.times[1])
	slices.Sort(all)
	s.low, s.high, s.most = 0, 1, 0
	if len(all) > 0 {
		s.low, s.high = all[0], all[min(len(all)*998/1000, len(all)-1)]
	}
	margin := max((s.high-s.low)*0.04, s.high*0.01, 1e-4)
	s.low, s.high = max(s.low-margin, 0), s.high+margin
	numBins := max(min(len(all)/framesInABin, mostBins), fewestBins)
	for i, times := range s.times {
		bins := make([]float32, numBins)
		for _, ms := range times {
			at := int((ms - s.low) / (s.high - s.low) * float32(numBins))
			bins[max(min(at, numBins-1), 0)] += 1 / float32(len(times))
		}
		s.bins[i], s.most = bins, max(s.most, slices.Max(bins))
	}
}

// draw draws the histograms in a box: before as an area, after as a line, and both means. A band around the mean of
// before shows the changes that are noise.
func (s *spread) draw(g *contrastPainter, c *changes.Change, band float64, x0, y0, x1, y1 float32) {
	x := func(ms float64) float32 {
		return x0 + (x1-x0)*min(max((float32(ms)-s.low)/(s.high-s.low), 0), 1)
	}
	g.Rect(x(c.Before-band), y0, x(c.Before+band), y1, draw.Fade(g.p.Accent, 0.16))
	ink := g.ink(c.Verdict)
	numBins := len(s.bins[0])
	width := (x1 - x0) / float32(numBins)
	last := y1
	for i := range numBins {
		left := x0 + float32(i)*width
		if share := s.bins[0][i]; share > 0 {
			g.Fill(left, y1-max((y1-y0)*share/s.most, 1), left+width, y1, draw.Fade(g.p.TextFaint, 0.55))
		}
		top := y1
		if share := s.bins[1][i]; share > 0 {
			top = y1 - max((y1-y0)*share/s.most, 1)
		}
		if top != last {
			g.Line(left, last, left, top, 1.5*g.scale, ink)
		}
		g.Line(left, top, left+width, top, 1.5*g.scale, ink)
		last = top
	}
	g.Rect(x0, y1, x1, y1+draw.Hairline(g.scale), g.p.Outline)
	g.mean(x(c.Before), y0, y1, g.p.TextNormal)
	g.mean(x(c.After), y0, y1, ink)
}

// mean draws the line of a mean.
func (g *contrastPainter) mean(x, y0, y1 float32, ink color.NRGBA) {
	g.Rect(x, y0, x+max(draw.Hairline(g.scale), 1), y1, ink)
}
