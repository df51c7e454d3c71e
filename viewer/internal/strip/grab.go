package strip

import (
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// grab is a drag of the ribbon's window.
type grab struct {
	active   bool
	part     grabbed
	from, to uint64  // the window, by numbers of frames
	offset   int     // of the press from the window's first frame
	rest     float32 // pixels of Slide below a whole frame
}

// grabbed is the part of the window that follows the mouse.
type grabbed uint8

const (
	grabWindow grabbed = iota
	grabLeft
	grabRight
)

// Grab begins to drag the window of the ribbon: an edge near x, or the whole window. A press beside the window moves it
// there.
func (s *Strip) Grab(d *scene.Scene, x, em float32) {
	r := &s.Ribbon
	if !(r.Plot.Width() > 0) || !canvas.Finite(x) {
		return
	}
	r.grab = grab{}
	x0, x1 := r.edges(d)
	r.grab.from, r.grab.to = inSight(d)
	r.grab.active = true
	left, right := canvas.Abs(x-x0), canvas.Abs(x-x1)
	switch reach := min(edgeReach*em, max((x1-x0)/4, em)); {
	case left <= reach && left <= right || x < x0 && left <= edgeReach*em:
		r.grab.part = grabLeft
	case right <= reach || x > x1 && right <= edgeReach*em:
		r.grab.part = grabRight
	case x < x0 || x > x1:
		r.grab.offset = int(r.grab.to-r.grab.from) / 2
		s.Drag(d, x)
	default:
		r.grab.offset = r.frameAt(d, x) - int(r.grab.from)
	}
}

// Drag moves the edge or window of Grab to x.
func (s *Strip) Drag(d *scene.Scene, x float32) {
	r := &s.Ribbon
	g := &r.grab
	if !g.active || !(r.Plot.Width() > 0) || !canvas.Finite(x) {
		return
	}
	at, all := r.frameAt(d, x), int(d.Overview.Frames)
	from, to := int(g.from), int(g.to)
	switch g.part {
	case grabLeft:
		from = min(max(at, 0), to-leastHistory)
	case grabRight:
		to = min(max(at, from+leastHistory), all)
	default:
		n := to - from
		from = max(min(at-g.offset, all-n), 0)
		to = from + n
	}
	g.from, g.to = uint64(max(from, 0)), uint64(max(to, 0))
	s.see(d, from, to)
}

// see shows the frames with numbers from to to-1, as far as the history has them.
func (s *Strip) see(d *scene.Scene, from, to int) {
	_, last := inSight(d)
	next := int(last) + d.Past.Skip
	s.span.frames, s.span.skip, s.span.edge = max(to-from, leastHistory), max(next-to, 0), 0
	s.release()
}

// Let ends the drag. If the history does not have the frames of the window, it returns the age of the middle one, at
// which a recording can be read. The age may be below 0.
func (s *Strip) Let(d *scene.Scene) (age int, elsewhere bool) {
	g := s.Ribbon.grab
	s.Ribbon.grab = grab{}
	if !g.active {
		return 0, false
	}
	_, last := inSight(d)
	next, middle := int(last)+d.Past.Skip, int((g.from+g.to)/2)
	return next - 1 - middle, middle >= next || middle < next-d.Past.Kept
}

// Slide moves the history by dx pixels.
func (s *Strip) Slide(d *scene.Scene, dx float32) {
	if !(s.Plot.Width() > 0) || !canvas.Finite(dx) {
		return
	}
	w, rest := &s.span, &s.Ribbon.grab.rest
	*rest += dx * float32(d.Past.Frames) / s.Plot.Width()
	frames := int(*rest)
	*rest -= float32(frames)
	w.move(frames, d.Past.Kept)
}

// Whole shows all frames of the history. If all are shown, it returns to the usual number.
func (s *Strip) Whole(d *scene.Scene) {
	if w := &s.span; w.width() >= d.Past.Kept && w.frames != 0 {
		*w = window{}
		w.include(s.age)
	} else {
		*w = window{frames: max(d.Past.Kept, scene.HistoryFrames)}
	}
	s.release()
}

// All shows all frames of the history. Back undoes it.
func (s *Strip) All(frames int) {
	s.lastSpan, s.span = s.span, window{frames: max(frames, leastHistory)}
	s.release()
}

// Back shows the number of frames before All, including the shown frame.
func (s *Strip) Back() {
	s.span = s.lastSpan
	s.span.include(s.age)
	s.release()
}

// FollowNewest shows the newest frames from now on.
func (s *Strip) FollowNewest() { s.span.skip, s.span.edge = 0, 0 }
