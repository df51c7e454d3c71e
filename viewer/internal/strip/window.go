package strip

import (
	"cmp"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// leastHistory is the least number of frames in the history strip.
const leastHistory = 30

// window is the part of the history in sight.
type window struct {
	frames     int    // 0 is usual
	usual      int    // frames that fill the width: see fit; 0 is scene.HistoryFrames
	skip       int    // number of newer frames beyond the right edge
	edge       uint64 // number of the frame at the right edge, if skip is unchanged since the last Draw; 0: use skip
	index      uint64 // of the column at the right edge in the last Draw, by the program's count
	renumbered bool   // the frames in sight have new numbers, or fit otherwise: the next Draw shows them again
}

// move shows older frames, or newer ones for frames below 0.
func (w *window) move(frames, kept int) {
	w.skip, w.edge = min(max(w.skip+frames, 0), max(kept-w.width(), 0)), 0
}

// hold keeps the frames in sight in place while others come in. At the newest frame, the window follows. Reading older
// frames changes the numbers of all frames: then hold finds the frames in sight by their ages.
func (w *window) hold(d *scene.Scene) {
	_, to := inSight(d)
	index := uint64(0)
	if n := len(d.Past.Columns); n > 0 {
		index = d.Past.Columns[n-1].Index
	}
	w.renumbered = to > 0 && to == w.edge && index != w.index
	w.index = index
	if w.renumbered {
		w.edge = 0
		return
	}
	w.skip = d.Past.Skip
	w.edge = 0
	if w.skip > 0 {
		w.edge = to
	}
}

func (w *window) width() int {
	return cmp.Or(w.frames, w.usual, scene.HistoryFrames)
}

// leastUsual is the least number of frames that fill the width, and leastColumn the least width of a column of one
// frame in nominal pixels.
const leastUsual, leastColumn = 8, 2

// fit fits the frames to the width of the columns in nominal pixels: all kept frames, as long as each has a column. A
// program that runs has room for more frames, so that its columns seldom change their widths.
func (w *window) fit(d *scene.Scene, width float32) {
	most := max(int(width/leastColumn), scene.HistoryFrames)
	n := min(max(d.Past.Kept, leastUsual), most)
	for _, round := range [...]int{30, 60, 120, scene.HistoryFrames, most} {
		if d.Info.Live && n <= round {
			n = round
			break
		}
	}
	if n != cmp.Or(w.usual, scene.HistoryFrames) {
		w.usual, w.renumbered = n, w.renumbered || w.frames == 0
	}
}

// include moves the window so that it contains the frame of an age. The newest frame is at the right edge.
func (w *window) include(age int) {
	n, before := w.width(), w.skip
	switch margin := n / 10; {
	case age == 0:
		w.skip = 0
	case age < w.skip:
		w.skip = max(age-margin, 0)
	case age >= w.skip+n:
		w.skip = age + 1 + margin - n
	}
	if w.skip != before {
		w.edge = 0
	}
}

// zoom changes the number of frames in sight. A notch shows four fifths as many; negative notches show more. The frame
// at a share of the width, 0 at the left, keeps its place as far as the ends of the history allow.
func (w *window) zoom(share, notches float64, kept int) {
	was := w.width()
	most := max(kept, scene.HistoryFrames)
	n := int(math.Round(float64(was) * math.Pow(0.8, notches)))
	if n == was && notches < 0 {
		n++
	}
	n = min(max(n, leastHistory), most)
	right := float64(w.skip) + (1-share)*float64(was-n)
	w.frames, w.skip, w.edge = n, min(max(int(math.Round(right)), 0), max(kept-n, 0)), 0
}

// Zoom zooms around x, in pixels.
func (s *Strip) Zoom(d *scene.Scene, x float32, notches float64) {
	if !(s.Plot.Width() > 0) || !canvas.Finite(float32(notches)) || !canvas.Finite(x) {
		return
	}
	share := float64(min(max((x-s.Plot.X0)/s.Plot.Width(), 0), 1))
	if s.span.skip == 0 && d.Info.Age == 0 {
		share = 1 // the newest frame stays at the right edge
	}
	s.span.zoom(share, min(max(notches, -50), 50), d.Past.Kept)
	s.release()
}

// Move shows older frames, or newer ones for notches below 0.
func (s *Strip) Move(d *scene.Scene, notches float64) {
	if !canvas.Finite(float32(notches)) {
		return
	}
	w := &s.span
	step := int(math.Round(min(max(notches, -50), 50) * float64(w.width()) / 10))
	w.move(step, d.Past.Kept)
}

// Wants returns the part of the history to show. It contains the shown frame.
func (s *Strip) Wants(em float32, age int) report.Window {
	if age != s.age {
		s.span.include(age)
	}
	s.age = age
	s.fit = s.fits(em)
	return report.Window{Frames: s.span.width(), Skip: s.span.skip, Until: s.span.edge, Columns: s.fit}
}

// fits returns the number of columns that fit the place of the last Draw. Each of the usual number of frames always has
// a column.
func (s *Strip) fits(em float32) int {
	if em > 0 && s.Plot.Width() > scene.HistoryFrames*em {
		return int(s.Plot.Width() / em)
	}
	return scene.HistoryFrames
}

// willResize reports whether a changed place of the history will change the columns of the next Draw.
func (s *Strip) willResize(em float32) bool {
	return s.span.width() > scene.HistoryFrames && s.fit != s.fits(em)
}

// Settling reports whether the next Draw of the same data would look different.
func (s *Strip) Settling(em float32) bool {
	return s.Moving || s.Others.scale.Moving || s.grown || s.span.renumbered || s.willResize(em)
}

// snapRadius is the greatest distance in nominal pixels at which a click goes to the highest column.
const snapRadius = 4

// Snap returns the frame that a click at x shows: the highest column within a few pixels, if it is clearly higher than
// the one at x.
func (s *Strip) Snap(d *scene.Scene, x, em float32, age int) int {
	at := d.Past.At(age)
	if at < 0 || !(s.Plot.Width() > 0) {
		return age
	}
	best := at
	for i := at; i >= 0; i-- {
		if _, x1 := d.Edges(s.Plot, d.Past.Columns[i].Oldest, d.Past.Columns[i].Newest); x1 <= x-snapRadius*em {
			break
		} else if d.Past.Columns[i].Judged() > d.Past.Columns[best].Judged() {
			best = i
		}
	}
	for i := at; i < len(d.Past.Columns); i++ {
		if x0, _ := d.Edges(s.Plot, d.Past.Columns[i].Oldest, d.Past.Columns[i].Newest); x0 >= x+snapRadius*em {
			break
		} else if d.Past.Columns[i].Judged() > d.Past.Columns[best].Judged() {
			best = i
		}
	}
	if d.Past.Columns[best].Judged() < 1.1*d.Past.Columns[at].Judged() {
		best = at
	}
	return d.Past.Columns[best].Age
}

// ages returns the part of the history in sight that a range of frames covers. Both ages are included. ok is false if
// the range is not in sight.
func ages(d *scene.Scene, l *report.Lens) (older, newer int, ok bool) {
	if l.Kind != report.LensRange {
		return 0, 0, false
	}
	from, to := min(l.From, l.To), max(l.From, l.To)
	for i := range d.Past.Columns {
		if f := &d.Past.Columns[i]; f.Index >= from && f.Index <= to {
			if !ok {
				older = f.Oldest
			}
			newer, ok = f.Newest, true
		}
	}
	return older, newer, ok
}

// within reports whether the frame of an age is in the selected range. Without a range, all frames are.
func (s *Strip) within(age int) bool { return !s.ranged || age <= s.older && age >= s.newer }

// takeRange computes the ages of the view's range.
func (s *Strip) takeRange(d *scene.Scene) { s.older, s.newer, s.ranged = ages(d, &d.View.Lens) }

// frame draws the selected range over a history: a frame around its columns, and above them the number of frames and
// their length.
func (s *Strip) frame(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect, words bool) {
	if !s.ranged {
		return
	}
	x0, x1 := d.Edges(plot, s.older, s.newer)
	x0, x1 = max(x0, plot.X0), min(x1, plot.X1)
	line := draw.Hairline(c.Em)
	c.Rect(x0, plot.Y0, x1, plot.Y1, draw.Fade(c.Accent, 0.1))
	c.Rect(x0-line, plot.Y0, x0, plot.Y1, c.Accent)
	c.Rect(x1, plot.Y0, x1+line, plot.Y1, c.Accent)
	c.Rect(x0, plot.Y1, x1, plot.Y1+3*c.Em, c.Accent)
	if !words {
		return
	}
	c.Buffer = rangeWords(d, c.Buffer[:0], s.older, s.newer, c.Told(1))
	width := c.ASCIIWidth(draw.FaceSmall, c.Buffer) + 14*c.Em
	x := draw.Snap(min(max((x0+x1-width)/2, plot.X0), plot.X1-width))
	c.Round(x, plot.Y0-4*c.Em, x+width, plot.Y0+14*c.Em, 4*c.Em, c.Tab)
	y := c.Baseline(plot.Y0-4*c.Em, plot.Y0+14*c.Em, draw.FaceSmall)
	c.ASCII(x+7*c.Em, y, draw.FaceSmall, c.Buffer, c.TextBright)
}

// rangeWords appends the number of frames in a range and their length with its decimals: "57 frames, 948.2 ms".
func rangeWords(d *scene.Scene, b []byte, older, newer, decimals int) []byte {
	ms, n := d.Info.Length*float64(d.Info.LensFrames), d.Info.LensFrames
	if d.Past.Group == 1 {
		ms, n = 0, 0
		for i := range d.Past.Columns {
			if f := &d.Past.Columns[i]; f.Age <= older && f.Age >= newer {
				if v := float64(f.Length); !math.IsNaN(v) {
					ms += v
				}
				n++
			}
		}
	}
	return draw.AppendTime(append(printed.AppendCount(b, n, d.Info.Kind.Frame()), ", "...), ms, decimals)
}
