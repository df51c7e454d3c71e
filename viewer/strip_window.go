package viewer

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// historyFrames is the number of frames in the history strip, until the user zooms it. leastHistory is the least
// number.
const historyFrames, leastHistory = 300, 30

// window is the part of the history in sight.
type window struct {
	frames int // 0 is historyFrames
	skip   int // number of newer frames beyond the right edge
}

func (w *window) width() int {
	if w.frames == 0 {
		return historyFrames
	}
	return w.frames
}

// around moves the window so that a frame is in it, by age. The newest frame is at the right edge.
func (w *window) around(age int) {
	n := w.width()
	switch margin := n / 10; {
	case age == 0:
		w.skip = 0
	case age < w.skip:
		w.skip = max(age-margin, 0)
	case age >= w.skip+n:
		w.skip = age + 1 + margin - n
	}
}

// zoom changes the number of frames in sight. A notch shows four fifths as many; negative notches show more. The frame
// at a share of the width, 0 at the left, keeps its place as far as the ends of the history allow.
func (w *window) zoom(share, notches float64, kept int) {
	was := w.width()
	most := max(kept, historyFrames)
	n := int(math.Round(float64(was) * math.Pow(0.8, notches)))
	if n == was && notches < 0 {
		n++
	}
	n = min(max(n, leastHistory), most)
	right := float64(w.skip) + (1-share)*float64(was-n)
	w.frames, w.skip = n, min(max(int(math.Round(right)), 0), max(kept-n, 0))
}

// zoomHistory zooms the history around x, in pixels.
func (p *Panel) zoomHistory(x float32, notches float64) {
	p.change(func() {
		s := &p.strip
		if !(s.plot.width() > 0) || !finite(float32(notches)) || !finite(x) {
			return
		}
		share := float64(min(max((x-s.plot.x0)/s.plot.width(), 0), 1))
		if s.span.skip == 0 && p.shown.info.Age == 0 {
			share = 1 // the newest frame stays at the right edge
		}
		s.span.zoom(share, min(max(notches, -50), 50), p.shown.Past.Kept)
		s.release()
	})
}

// ZoomHistory zooms the history around x, in pixels: from 30 frames to all that are kept. A notch shows four fifths as
// many frames; negative notches show more. Sideways notches move it. Any goroutine may call it.
func (p *Panel) ZoomHistory(x float32, sideways, notches float64) {
	if notches != 0 {
		p.zoomHistory(x, notches)
	}
	if sideways != 0 && finite(float32(sideways)) {
		p.change(func() {
			w := &p.strip.span
			step := int(math.Round(min(max(sideways, -50), 50) * float64(w.width()) / 10))
			w.skip = min(max(w.skip+step, 0), max(p.shown.Past.Kept-w.width(), 0))
		})
	}
}

// wants returns the part of the history to show. It has the frame that is shown.
func (s *strip) wants(em float32, age int) process.Window {
	if age != s.age {
		s.span.around(age)
	}
	s.age = age
	s.fit = s.fits(em)
	return process.Window{Frames: s.span.width(), Skip: s.span.skip, Columns: s.fit}
}

// fits returns the number of columns that fit the place of the last Draw. The usual number of frames always has a
// column each.
func (s *strip) fits(em float32) int {
	if em > 0 && s.plot.width() > historyFrames*em {
		return int(s.plot.width() / em)
	}
	return historyFrames
}

// unfit reports whether the next Draw will have other columns, because the place of the history has changed.
func (s *strip) unfit(em float32) bool { return s.span.width() > historyFrames && s.fit != s.fits(em) }

// edges returns the sides of the columns of a range of ages.
func (d *shown) edges(plot rect, older, newer int) (x0, x1 float32) {
	step := plot.width() / float32(max(d.Past.Frames, 1))
	x0 = draw.Snap(plot.x1 - float32(older+1-d.Past.Skip)*step)
	x1 = draw.Snap(plot.x1 - float32(newer-d.Past.Skip)*step)
	return x0, x1
}

// pointed returns the age of the frame under the mouse, or else of the frame that is shown.
func (d *shown) pointed() (age int, mouse bool) {
	if d.hover.Kind == HitGraph || d.hover.Kind == HitAxis {
		return d.hover.Age, true
	}
	return d.info.Age, false
}

// visible reports whether the frame of an age is in sight.
func (d *shown) visible(age int) bool { return age >= d.Past.Skip && age < d.Past.Skip+d.Past.Frames }

// column returns the column of an age, or nil.
func (d *shown) column(age int) *process.PastColumn {
	if i := d.Past.At(age); i >= 0 {
		return &d.Past.Columns[i]
	}
	return nil
}

// snapRadius is the distance in nominal pixels within which a click goes to the highest column.
const snapRadius = 4

// snap returns the frame that a click at x shows: the highest column within a few pixels, if it is clearly higher than
// the one at x.
func (s *strip) snap(d *shown, x, em float32, age int) int {
	at := d.Past.At(age)
	if at < 0 || !(s.plot.width() > 0) {
		return age
	}
	best := at
	for i := at; i >= 0; i-- {
		if _, x1 := d.edges(s.plot, d.Past.Columns[i].Oldest, d.Past.Columns[i].Newest); x1 <= x-snapRadius*em {
			break
		} else if d.Past.Columns[i].Busy > d.Past.Columns[best].Busy {
			best = i
		}
	}
	for i := at; i < len(d.Past.Columns); i++ {
		if x0, _ := d.edges(s.plot, d.Past.Columns[i].Oldest, d.Past.Columns[i].Newest); x0 >= x+snapRadius*em {
			break
		} else if d.Past.Columns[i].Busy > d.Past.Columns[best].Busy {
			best = i
		}
	}
	if d.Past.Columns[best].Busy < 1.1*d.Past.Columns[at].Busy {
		best = at
	}
	return d.Past.Columns[best].Age
}
