package viewer

import "example.com/iprof/process"

// toggleTimeline shows the timeline in place of the call structure, or the call structure again.
func toggleTimeline(_ *process.Session, p *Panel) {
	if p.Options().Timeline == TimelineHidden {
		p.Change(func(o *Options) { o.Timeline = TimelineShown })
		return
	}
	p.Change(func(o *Options) { o.Timeline = TimelineHidden })
}

// enlargeTimeline gives the timeline the room of the table, or gives that back.
func enlargeTimeline(_ *process.Session, p *Panel) {
	if p.Options().Timeline == TimelineLarge {
		p.Change(func(o *Options) { o.Timeline = TimelineShown })
		return
	}
	p.Change(func(o *Options) { o.Timeline = TimelineLarge })
}

func toggleEvents(_ *process.Session, p *Panel) { p.toggleEvents() }

// Zoom zooms the timeline or the call structure, whichever is shown. A notch shows four fifths as much time; negative
// notches show more. The time at x, in pixels, keeps its place; for an x outside, the middle does. Any goroutine may
// call it.
func (p *Panel) Zoom(x float32, notches float64) {
	if p.Options().Timeline == TimelineHidden {
		p.zoomIcicle(x, notches)
		return
	}
	p.zoomTimeline(x, notches)
}

// Pan moves the timeline or the call structure, whichever is shown, by dx and dy pixels. Infinities and NaN are
// ignored. Any goroutine may call it.
func (p *Panel) Pan(dx, dy float32) {
	if p.Options().Timeline == TimelineHidden {
		p.panIcicle(dx, dy)
		return
	}
	p.panTimeline(dx, dy)
}

// fitAll shows the whole frame again, in the timeline or the call structure.
func fitAll(_ *process.Session, p *Panel) { p.fitAt(-1, -1) }

// fitHistory shows all frames around the frame shown that follow each other without a pause.
func fitHistory(_ *process.Session, p *Panel) {
	p.change(func() {
		if p.options.Timeline == TimelineHidden {
			p.timeline.mode, p.options.Timeline = TimelineShown, TimelineShown
		}
		v := &p.timeline.view
		v.fit(v.least, v.most)
	})
}

// findOccurrence goes to the next scope of the cursor's zone, or to the previous one.
func findOccurrence(direction int) action {
	return func(_ *process.Session, p *Panel) { p.findOccurrence(direction) }
}

// fitAt fits the scope or the bar at a place, in pixels, to the width of the screen. Elsewhere, and for one that fits
// already, it shows the whole frame.
func (p *Panel) fitAt(x, y float32) {
	if p.Options().Timeline != TimelineHidden {
		p.fitTimeline(x, y)
		return
	}
	if hit := p.HitAt(x, y); hit.Kind == HitIcicle {
		p.fitIcicle(hit.Path)
		return
	}
	p.fitIcicle(-1)
}
