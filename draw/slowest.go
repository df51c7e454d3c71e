package draw

import (
	"slices"

	"example.com/iprof/process"
)

// keptSlowest is how many slow frames are kept aside.
const keptSlowest = 60

// slowest are the frames that were busy longest, of all that a Draw came to see while they were in the history. Reports can be
// shown of those that are still there, and of those that the session keeps beyond it.
type slowest struct {
	frames []process.FrameSummary // the slowest first
	kept   []process.FrameSummary // by the session
	seen   uint64                 // index of the newest frame looked at, plus one
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

// SlowFrame returns the number (FrameSummary.Index) of the slow frame of a rank, as in a Hit of kind HitSlow, and whether a
// report of it can be shown: with Session.ShowFrame.
func (p *Panel) SlowFrame(rank int) (index uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rank < 0 || rank >= len(p.slowest.frames) {
		return 0, false
	}
	f := &p.slowest.frames[rank]
	return f.Index, p.slowest.keeps(f) || ageOf(&p.shown, f) >= 0
}

// take looks at the frames that came since the last Draw.
func (s *slowest) take(frames []process.FrameSummary) {
	if len(frames) == 0 {
		return
	}
	newest := frames[len(frames)-1].Index
	if newest+1 < s.seen {
		s.frames, s.seen = s.frames[:0], 0 // the session began anew
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

// ageOf is the age of a kept frame, or -1 when the history has lost its report.
func ageOf(d *shown, f *process.FrameSummary) int {
	n := len(d.frames)
	if n == 0 || f.Index > d.frames[n-1].Index {
		return -1
	}
	age := d.frames[n-1].Index - f.Index
	if age >= uint64(n) || !d.frames[n-1-int(age)].HasReport {
		return -1
	}
	return int(age)
}

// draw draws a bar for each kept frame, the slowest at the left.
func (s *slowest) draw(c *canvas, d *shown, r rect) {
	s.kept = d.source.AppendSlowest(s.kept[:0])
	in := c.card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if len(s.frames) == 0 || plot.height() < 10 {
		return
	}
	top := max(s.frames[0].Busy, 0.001)
	c.right(plot.x0-8*c.em, rect{0, plot.y0, 0, plot.y0 + 10*c.em}, FaceTiny, "ms", c.textFaint)
	c.number(plot.x0-8*c.em, rect{0, plot.y0 + 10*c.em, 0, plot.y0 + 24*c.em}, FaceTiny, float64(top), 1, c.textFaint)
	step := plot.width() / keptSlowest
	under := -1
	for i := range s.frames {
		box := rect{snap(plot.x0 + float32(i)*step), plot.y0, snap(plot.x0 + float32(i+1)*step), plot.y1}
		if c.hovers(box) {
			under = i
		}
		s.bar(c, d, box, &s.frames[i], top, i)
	}
	below := rect{0, plot.y1, 0, in.y1}
	c.left(plot.x0, plot.width(), below, FaceSmall, "slowest frames", c.textFaint)
	if under < 0 {
		under = 0
	}
	if names {
		s.words(c, d, rect{plot.x1 + 20*c.em, in.y0, in.x1 - 6*c.em, in.y1}, &s.frames[under])
	}
}

// bar draws one frame: over budget it has a cap, and its report lost it is hollow.
func (s *slowest) bar(c *canvas, d *shown, box rect, f *process.FrameSummary, top float32, rank int) {
	age := ageOf(d, f)
	gap := max(1, snap(c.em))
	y := snap(box.y1 - min(f.Busy/top, 1)*box.height())
	col := c.green
	if f.Over {
		col = c.red
	}
	switch {
	case age < 0 && !s.keeps(f):
		c.Border(box.x0, y, box.x1-gap, box.y1, 0, fade(col, 0.6))
	case c.hovers(box) || f.Index == d.info.Index && !d.info.Live:
		c.Rect(box.x0, y, box.x1-gap, box.y1, mix(col, white, 0.35))
	default:
		c.Rect(box.x0, y, box.x1-gap, box.y1, mix(col, c.surface, 0.25))
	}
	if f.Over {
		c.Rect(box.x0, y, box.x1-gap, y+2*c.em, c.textBright)
	}
	hit := hitOf(HitSlow, rank)
	hit.Age = age
	c.add(box, hit)
}

// words tells about one frame.
func (s *slowest) words(c *canvas, d *shown, r rect, f *process.FrameSummary) {
	line := 17 * c.em
	row := rect{r.x0, r.y0, r.x1, r.y0 + line}
	c.buffer = appendFixed(append(c.buffer[:0], "Frame "...), float64(f.Index), 0)
	c.ascii(row.x0, c.baseline(row.y0, row.y1, FaceText), FaceText, c.buffer, c.textBright)
	c.number(row.x1, row, FaceMono, float64(f.Busy), c.precision, c.textBright)
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
	box := rect{r.x0 - 2*c.em, r.y1 - 22*c.em, r.x0 + 52*c.em, r.y1 - 2*c.em}
	if row.y1 <= box.y0+4*c.em {
		c.left(row.x0, r.width(), row, FaceSmall, word, c.textDim)
	}
	ground := c.raised
	if c.hovers(box) {
		ground = c.tab
	}
	c.chip(box.x0, box, "Clear", ground, c.textNormal)
	c.add(box, hitOf(HitClear, 0))
}

// ClearSlowest forgets the slowest frames: the next ones begin a new list.
func (p *Panel) ClearSlowest() { p.change(func() { p.slowest.frames = p.slowest.frames[:0] }) }
