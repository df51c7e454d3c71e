package strip

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// keptSlowest is the number of slow frames in the strip.
const keptSlowest = 60

// Slowest are the busiest of all frames that were in the history at some Draw. A frame's report can be shown while the
// frame is in the history, or if the session keeps it.
type Slowest struct {
	frames []report.FrameSummary // the busiest first
	kept   []report.FrameSummary // those that the session keeps
	seen   uint64                // index of the newest frame considered, plus one
}

// keeps reports whether the session keeps a frame.
func (s *Slowest) keeps(f *report.FrameSummary) bool {
	for i := range s.kept {
		if s.kept[i].Index == f.Index {
			return true
		}
	}
	return false
}

// Frame returns the number of the slow frame of a rank; 0 is the slowest. The bool reports whether
// Session.ShowFrame can show the frame; it is false for ranks out of range.
func (s *Slowest) Frame(d *scene.Scene, rank int) (index uint64, ok bool) {
	if rank < 0 || rank >= len(s.frames) {
		return 0, false
	}
	f := &s.frames[rank]
	return f.Index, s.keeps(f) || ageOf(d, f) >= 0
}

// Take considers the frames that have ended since the last Draw.
func (s *Slowest) Take(frames []report.FrameSummary) {
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
func (s *Slowest) insert(f *report.FrameSummary) {
	if !canvas.Finite(f.Busy) || len(s.frames) == keptSlowest && f.Busy <= s.frames[keptSlowest-1].Busy {
		return
	}
	at, _ := slices.BinarySearchFunc(s.frames, f.Busy, func(have report.FrameSummary, busy float32) int {
		if have.Busy >= busy {
			return -1
		}
		return 1
	})
	if len(s.frames) < keptSlowest {
		s.frames = append(s.frames, report.FrameSummary{})
	}
	copy(s.frames[at+1:], s.frames[at:])
	s.frames[at] = *f
}

// ageOf returns the age of a frame, or -1 if the history has lost its report.
func ageOf(d *scene.Scene, f *report.FrameSummary) int {
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

// Draw draws a bar for each frame, the slowest at the left.
func (s *Slowest) Draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	s.kept = append(s.kept[:0], d.Slowest...)
	in := c.Card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if len(s.frames) == 0 || plot.Height() < 10 {
		return
	}
	top := max(s.frames[0].Busy, 0.001)
	c.Right(plot.X0-8*c.Em, canvas.Box(0, plot.Y0, 0, plot.Y0+10*c.Em), draw.FaceTiny, "ms", c.TextFaint)
	second := canvas.Box(0, plot.Y0+10*c.Em, 0, plot.Y0+24*c.Em)
	c.Number(plot.X0-8*c.Em, second, draw.FaceTiny, float64(top), 1, c.TextFaint)
	step := plot.Width() / keptSlowest
	under := -1
	for i := range s.frames {
		box := canvas.Box(draw.Snap(plot.X0+float32(i)*step), plot.Y0, draw.Snap(plot.X0+float32(i+1)*step), plot.Y1)
		if c.Hovers(box) {
			under = i
		}
		s.bar(c, d, box, &s.frames[i], top, i)
	}
	below := canvas.Box(0, plot.Y1, 0, in.Y1)
	c.Left(plot.X0, plot.Width(), below, draw.FaceSmall, "slowest frames, by busy time", c.TextFaint)
	if under < 0 {
		under = 0
	}
	if names {
		s.words(c, d, canvas.Box(plot.X1+20*c.Em, in.Y0, in.X1-6*c.Em, in.Y1), &s.frames[under])
	}
}

// bar draws one frame. A frame over budget has a cap. A frame that has lost its report is hollow.
func (s *Slowest) bar(
	c *canvas.Canvas, d *scene.Scene, box canvas.Rect, f *report.FrameSummary, top float32, rank int,
) {
	age := ageOf(d, f)
	gap := max(1, draw.Snap(c.Em))
	y := draw.Snap(box.Y1 - min(f.Busy/top, 1)*box.Height())
	col := c.Green
	if f.Over {
		col = c.Red
	}
	switch {
	case age < 0 && !s.keeps(f):
		c.Border(box.X0, y, box.X1-gap, box.Y1, 0, draw.Fade(col, 0.6))
	case c.Hovers(box) || f.Index == d.Info.Index && !d.Info.Live:
		c.Rect(box.X0, y, box.X1-gap, box.Y1, draw.Mix(col, canvas.White, 0.35))
	default:
		c.Rect(box.X0, y, box.X1-gap, box.Y1, draw.Mix(col, c.Surface, 0.25))
	}
	if f.Over {
		c.Rect(box.X0, y, box.X1-gap, y+2*c.Em, c.TextBright)
	}
	h := hit.Of(hit.Slow, rank)
	h.Age = age
	c.Add(box, h)
}

// words writes the numbers of one frame.
func (s *Slowest) words(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, f *report.FrameSummary) {
	line := 17 * c.Em
	row := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+line)
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "Frame "...), float64(f.Index), 0)
	c.ASCII(row.X0, c.Baseline(row.Y0, row.Y1, draw.FaceText), draw.FaceText, c.Buffer, c.TextBright)
	c.Number(row.X1, row, draw.FaceMono, float64(f.Length), c.Precision, c.TextBright)
	row.Y0, row.Y1 = row.Y1, row.Y1+line
	box := canvas.Box(r.X0-2*c.Em, r.Y1-22*c.Em, r.X0+52*c.Em, r.Y1-2*c.Em) // of "Clear"
	if row.Y1 <= box.Y0+c.Em {
		parts(c, f, row)
	}
	row.Y0, row.Y1 = row.Y1, row.Y1+line
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
	if row.Y1 <= box.Y0+4*c.Em {
		c.Left(row.X0, r.Width(), row, draw.FaceSmall, word, c.TextDim)
	}
	ground := c.Raised
	if c.Hovers(box) {
		ground = c.Tab
	}
	c.Chip(box.X0, box, "Clear", ground, c.TextNormal)
	c.Add(box, hit.Of(hit.Clear, 0))
}

// Len returns the number of frames in the strip.
func (s *Slowest) Len() int { return len(s.frames) }

// Clear empties the list. Later frames fill it again.
func (s *Slowest) Clear() { s.frames = s.frames[:0] }
