package draw

import (
	"math"

	"example.com/iprof/process"
)

// ages is the part of the history that a range of frames covers: from the older age to the newer, both included. It reports
// false where the range is not of the history in sight.
func (d *shown) ages(l *process.Lens) (older, newer int, ok bool) {
	n := len(d.frames)
	if l.Kind != process.LensRange || n == 0 {
		return 0, 0, false
	}
	from, to := min(l.From, l.To), max(l.From, l.To)
	newest, oldest := d.frames[n-1].Index, d.frames[0].Index
	if from > newest || to < oldest {
		return 0, 0, false
	}
	return int(newest - max(from, oldest)), int(newest - min(to, newest)), true
}

// within reports whether the frame of an age is in the range chosen; without a range, all are.
func (s *strip) within(age int) bool { return !s.ranged || age <= s.older && age >= s.newer }

// takeRange finds which part of the history the view's range is.
func (s *strip) takeRange(d *shown) { s.older, s.newer, s.ranged = d.ages(&d.view.Lens) }

// span draws the range chosen over a history: a frame round its columns, and above them how many frames and ms it is.
func (s *strip) span(c *canvas, d *shown, plot rect, words bool) {
	if !s.ranged {
		return
	}
	step := plot.width() / historyFrames
	x0, x1 := snap(max(plot.x1-float32(s.older+1)*step, plot.x0)), snap(plot.x1-float32(s.newer)*step)
	line := ringWidth(c.em)
	c.Rect(x0, plot.y0, x1, plot.y1, fade(c.accent, 0.1))
	c.Rect(x0-line, plot.y0, x0, plot.y1, c.accent)
	c.Rect(x1, plot.y0, x1+line, plot.y1, c.accent)
	c.Rect(x0, plot.y1, x1, plot.y1+3*c.em, c.accent)
	if !words {
		return
	}
	c.buffer = d.spanWords(c.buffer[:0], s.older, s.newer)
	width := c.asciiWidth(FaceSmall, c.buffer) + 14*c.em
	x := snap(min(max((x0+x1-width)/2, plot.x0), plot.x1-width))
	c.Round(x, plot.y0-4*c.em, x+width, plot.y0+14*c.em, 4*c.em, c.tab)
	c.ascii(x+7*c.em, c.baseline(plot.y0-4*c.em, plot.y0+14*c.em, FaceSmall), FaceSmall, c.buffer, c.textBright)
}

// spanWords says how long a range is: "57 frames, 948.20 ms".
func (d *shown) spanWords(b []byte, older, newer int) []byte {
	ms, n := 0.0, 0
	for age := newer; age <= older && age < len(d.frames); age++ {
		if v := float64(d.frames[len(d.frames)-1-age].Length); !math.IsNaN(v) {
			ms += v
		}
		n++
	}
	b = appendFixed(b, float64(n), 0)
	if n == 1 {
		b = append(b, " frame, "...)
	} else {
		b = append(b, " frames, "...)
	}
	return append(appendFixed(b, ms, 1), " ms"...)
}

// FrameAt returns the number of the frame of an age, as FrameSummary.Index has it, in the history that was drawn last.
func (p *Panel) FrameAt(age int) (index uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := len(p.shown.frames) - 1 - age
	if age < 0 || i < 0 {
		return 0, false
	}
	return p.shown.frames[i].Index, true
}
