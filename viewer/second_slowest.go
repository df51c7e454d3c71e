package viewer

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// keptSlowest is the number of slow frames in the strip.
const keptSlowest = 60

// slowest are the busiest of all frames that were in the history at some Draw. A frame's report can be shown while the
// frame is in the history, or if the session keeps it.
type slowest struct {
	frames []process.FrameSummary // the busiest first
	kept   []process.FrameSummary // those that the session keeps
	seen   uint64                 // index of the newest frame considered, plus one
}

// keeps reports whether the session keeps a frame.
func (s *slowest) keeps(f *process.FrameSummary) bool {
	for i := range s.kept {
		if s.kept[i].Index == f.Index {
			return true
		}
	}
	return false
}

// slowFrame returns the number of the slow frame of a rank; 0 is the slowest. The bool reports whether
// Session.ShowFrame can show the frame; it is false for ranks out of range.
func (p *Panel) slowFrame(rank int) (index uint64, ok bool) {
	if rank < 0 || rank >= len(p.slowest.frames) {
		return 0, false
	}
	f := &p.slowest.frames[rank]
	return f.Index, p.slowest.keeps(f) || ageOf(&p.shown, f) >= 0
}

// take considers the frames that have ended since the last Draw.
func (s *slowest) take(frames []process.FrameSummary) {
	if len(frames) == 0 {
		return
	}
	newest := frames[len(frames)-1].Index
	if newest+1 < s.seen {
		s.frames, s.seen = s.frames[:0], 0 // the session was reset
	}
	for i := range frames {
		if frames[i].Index+1 > s.seen {
			s.insert(&frames[i])
		}
	}
	s.seen = newest + 1
}

// insert keeps a frame if it is among the slowest.
func (s *slowest) insert(f *process.FrameSummary) {
	if !finite(f.Busy) || len(s.frames) == keptSlowest && f.Busy <= s.frames[keptSlowest-1].Busy {
		return
	}
	at, _ := slices.BinarySearchFunc(s.frames, f.Busy, func(have process.FrameSummary, busy float32) int {
		if have.Busy >= busy {
			return -1
		}
		return 1
	})
	if len(s.frames) < keptSlowest {
		s.frames = append(s.frames, process.FrameSummary{})
	}
	copy(s.frames[at+1:], s.frames[at:])
	s.frames[at] = *f
}

// ageOf returns the age of a frame, or -1 if the history has lost its report.
func ageOf(d *shown, f *process.FrameSummary) int {
	n := len(d.Frames)
	if n == 0 || f.Index > d.Frames[n-1].Index {
		return -1
	}
	age := d.Frames[n-1].Index - f.Index
	if age >= uint64(n) || !d.Frames[n-1-int(age)].HasReport {
		return -1
	}
	return int(age)
}

// draw draws a bar for each frame, the slowest at the left.
func (s *slowest) draw(c *canvas, d *shown, r rect) {
	s.kept = append(s.kept[:0], d.Slowest...)
	in := c.card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if len(s.frames) == 0 || plot.height() < 10 {
		return
	}
	top := max(s.frames[0].Busy, 0.001)
	c.right(plot.x0-8*c.em, rect{0, plot.y0, 0, plot.y0 + 10*c.em}, draw.FaceTiny, "ms", c.TextFaint)
	second := rect{0, plot.y0 + 10*c.em, 0, plot.y0 + 24*c.em}
	c.number(plot.x0-8*c.em, second, draw.FaceTiny, float64(top), 1, c.TextFaint)
	step := plot.width() / keptSlowest
	under := -1
	for i := range s.frames {
		box := rect{draw.Snap(plot.x0 + float32(i)*step), plot.y0, draw.Snap(plot.x0 + float32(i+1)*step), plot.y1}
		if c.hovers(box) {
			under = i
		}
		s.bar(c, d, box, &s.frames[i], top, i)
	}
	below := rect{0, plot.y1, 0, in.y1}
	c.left(plot.x0, plot.width(), below, draw.FaceSmall, "slowest frames, by busy time", c.TextFaint)
	if under < 0 {
		under = 0
	}
	if names {
		s.words(c, d, rect{plot.x1 + 20*c.em, in.y0, in.x1 - 6*c.em, in.y1}, &s.frames[under])
	}
}

// bar draws one frame. A frame over budget has a cap. A frame that has lost its report is hollow.
func (s *slowest) bar(c *canvas, d *shown, box rect, f *process.FrameSummary, top float32, rank int) {
	age := ageOf(d, f)
	gap := max(1, draw.Snap(c.em))
	y := draw.Snap(box.y1 - min(f.Busy/top, 1)*box.height())
	col := c.Green
	if f.Over {
		col = c.Red
	}
	switch {
	case age < 0 && !s.keeps(f):
		c.Border(box.x0, y, box.x1-gap, box.y1, 0, draw.Fade(col, 0.6))
	case c.hovers(box) || f.Index == d.info.Index && !d.info.Live:
		c.Rect(box.x0, y, box.x1-gap, box.y1, draw.Mix(col, white, 0.35))
	default:
		c.Rect(box.x0, y, box.x1-gap, box.y1, draw.Mix(col, c.Surface, 0.25))
	}
	if f.Over {
		c.Rect(box.x0, y, box.x1-gap, y+2*c.em, c.TextBright)
	}
	hit := hitOf(HitSlow, rank)
	hit.Age = age
	c.add(box, hit)
}

// words writes the numbers of one frame.
func (s *slowest) words(c *canvas, d *shown, r rect, f *process.FrameSummary) {
	line := 17 * c.em
	row := rect{r.x0, r.y0, r.x1, r.y0 + line}
	c.buffer = draw.AppendFixed(append(c.buffer[:0], "Frame "...), float64(f.Index), 0)
	c.ASCII(row.x0, c.baseline(row.y0, row.y1, draw.FaceText), draw.FaceText, c.buffer, c.TextBright)
	c.number(row.x1, row, draw.FaceMono, float64(f.Length), c.precision, c.TextBright)
	row.y0, row.y1 = row.y1, row.y1+line
	box := rect{r.x0 - 2*c.em, r.y1 - 22*c.em, r.x0 + 52*c.em, r.y1 - 2*c.em} // of "Clear"
	if row.y1 <= box.y0+c.em {
		c.parts(f, row)
	}
	row.y0, row.y1 = row.y1, row.y1+line
	word := "click shows it"
	if ageOf(d, f) < 0 {
		word = "has left the history"
		if s.keeps(f) {
			word = "kept: click shows it"
		}
	}
	if f.Label != "" {
		word = f.Label
	}
	if row.y1 <= box.y0+4*c.em {
		c.left(row.x0, r.width(), row, draw.FaceSmall, word, c.TextDim)
	}
	ground := c.Raised
	if c.hovers(box) {
		ground = c.Tab
	}
	c.chip(box.x0, box, "Clear", ground, c.TextNormal)
	c.add(box, hitOf(HitClear, 0))
}

// clearSlowest empties the list of slowest frames. Later frames fill it again.
func (p *Panel) clearSlowest() { p.change(func() { p.slowest.frames = p.slowest.frames[:0] }) }
