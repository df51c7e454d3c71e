package viewer

import (
	"example.com/iprof/process"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/icicle"
)

// structurePart is the call structure.
type structurePart struct {
	*shared
	icicle.View
}

// zoom zooms the timeline or the call structure, whichever is shown. A notch shows four fifths as much time; negative
// notches show more. The time at x, in pixels, keeps its place; for an x outside, the middle does. Any goroutine may
// call Zoom.
func (p *Panel) zoom(x float32, notches float64) {
	if !p.answer.hasTimeline() {
		p.ice.zoom(x, notches)
		return
	}
	p.timeline.zoom(x, notches)
}

// pan moves the timeline or the call structure, whichever is shown, by dx and dy pixels. It ignores infinities and NaN.
// Any goroutine may call it.
func (p *Panel) pan(dx, dy float32) {
	if !p.answer.hasTimeline() {
		p.ice.pan(dx, dy)
		return
	}
	p.timeline.pan(dx, dy)
}

// fitAll shows the whole frame again, in the timeline or the call structure.
func fitAll(_ *process.Session, p *Panel) { p.fitAt(-1, -1) }

// fitAt fits the scope or the bar at a place, in pixels, to the width of the screen. At other places, and if the scope
// or bar fits already, it shows the whole frame.
func (p *Panel) fitAt(x, y float32) {
	if p.answer.hasTimeline() {
		p.change(func() { p.notices.line.due = false })
		p.timeline.fit(x, y)
		return
	}
	if h := p.HitAt(x, y); h.Kind == hit.Icicle {
		p.ice.fit(h.Path)
		return
	}
	p.ice.fit(-1)
}

// zoom zooms the call structure. A notch shows four fifths as much time; negative notches show more. The bar at
// x, in pixels, keeps its place; for an x outside, the middle does. The part in sight is at least 1/2000 of the frame,
// and at most all of it. Any goroutine may call it.
func (s *structurePart) zoom(x float32, notches float64) {
	s.change(func() { s.Zoom(x, notches) })
}

// pan moves the call structure by dx and dy pixels. It stops at the ends. It ignores infinities and NaN. Any
// goroutine may call it.
func (s *structurePart) pan(dx, dy float32) {
	s.change(func() { s.Pan(dx, dy) })
}

// fit fits the bar of a path to the width of the screen. For -1, for a path without a bar, and for a bar that
// fits already, it shows the whole frame. Any goroutine may call it.
func (s *structurePart) fit(path int32) {
	s.change(func() { s.Fit(s.scene.Tree, path) })
}

// drawCalls draws the call structure or the timeline.
func (p *Panel) drawCalls(r canvas.Rect) {
	if !p.answer.showsTimeline() {
		icicle.Draw(&p.canvas, &p.scene, &p.ice.View, r)
		return
	}
	p.timeline.Draw(&p.canvas, &p.scene, eventsKey(p.keys), r)
}
