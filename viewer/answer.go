package viewer

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/answer"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/timeline"
)

// answerPart is the drawn verdict, and the user's place before it.
type answerPart struct {
	*shared
	answer.Answer
	timed  bool // the frame has scopes: the timeline is below
	origin struct {
		view  report.View
		live  bool
		known bool
		sight timeline.InSight
	}
	of       report.View  // the view of the verdict
	timeline TimelineMode // the option then
	due      bool         // the next Draw brings the zone of the cause into sight
}

// showVerdict draws the verdict on the shown frames: it goes to the frame, and brings the zone of the main cause into
// sight as row, bar and scope. While a verdict is drawn, it returns to the user's place before.
func showVerdict(s *process.Session, p *Panel) {
	view, live := p.view.Get(), !s.Paused()
	if p.answer.shows(&view) {
		p.endAnswer()
		return
	}
	var v report.Verdict
	if !p.view.ShowVerdict(&v) {
		p.Note("nothing unusual")
		return
	}
	if v.Frames == 1 { // a picture of a moment stays
		s.Pause()
		p.view.SetAverage(report.AverageInstant)
	}
	p.change(func() {
		a := &p.answer
		a.Open, a.Which, a.due = p.options.Mode == PanelFull, mainCause(&v), true
		if !a.origin.known {
			a.origin.view, a.origin.live, a.origin.known = view, live, a.Open
			a.origin.sight = p.timeline.Sight()
		}
		a.of = p.view.Get()
		a.timeline = p.options.Timeline
		p.notices.line.due = true
	})
}

// mainCause returns the index of the cause to highlight first: see report.Verdict.Target.
func mainCause(v *report.Verdict) int {
	for i, c := range slices.Backward(v.Causes) {
		if i > 0 && (c.Kind == report.CauseState || c.Kind == report.CauseWorker) {
			return i // the goroutine that ended the wait
		}
	}
	if t := v.Target(); len(v.Causes) > 1 && t.Path == v.Causes[1].Path && t.Kind == v.Causes[1].Kind {
		return 1
	}
	return 0
}

// shows reports whether the verdict on the frame of a view is drawn.
func (a *answerPart) shows(v *report.View) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Open && a.options.Mode == PanelFull && a.of.Age == v.Age && a.of.Kept == v.Kept
}

// leaveAnswer ends the drawn verdict once the user has gone to another report or opened the timeline. It stays at the
// new place.
func (p *Panel) leaveAnswer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := &p.answer
	if !a.Open || p.session == nil {
		return
	}
	now := p.view.Get()
	if now.Mode != a.of.Mode || now.Focus != a.of.Focus || p.options.Timeline != a.timeline {
		a.Open, a.origin.known = false, false
		p.timeline.Aimed = 0
	}
}

// nextCause highlights the next cause of the drawn verdict.
func nextCause(_ *process.Session, p *Panel) {
	if !p.State().Answer {
		p.Note("no verdict is drawn")
		return
	}
	p.change(func() {
		a := &p.answer
		if n := answer.Causes(&p.scene.Report.Verdict); n > 0 {
			a.Which = (min(a.Which, n-1) + 1) % n
		}
		a.due, p.notices.line.due = true, true
	})
}

// endAnswer returns to the user's place before the verdict: frame, report, row, and zoom.
func (p *Panel) endAnswer() {
	p.mu.Lock()
	b := p.answer.origin
	p.answer.Open, p.answer.origin.known = false, false
	p.timeline.Aimed = 0
	p.timeline.Return(b.sight)
	p.serial++
	p.changes++
	p.mu.Unlock()
	s := p.session
	if s == nil || !b.known {
		return
	}
	p.view.Set(b.view)
	if b.live {
		p.view.SetFrame(-farAway)
		s.Resume()
	}
}

// showsTimeline reports whether the timeline is on the screen, in place of the call structure or below a drawn verdict.
func (a *answerPart) showsTimeline() bool {
	return a.options.Timeline != TimelineHidden || a.Open && a.timed
}

// hasTimeline is showsTimeline, for other goroutines.
func (a *answerPart) hasTimeline() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.showsTimeline()
}

// The desired height of a timeline or table below a drawn verdict, and the least height of a history above it, in
// nominal pixels.
const (
	answerBelow = 190
	answerStrip = 110
)

// shorten makes the history lower if the parts below it lack height.
func (at *regions) shorten(em, want float32) {
	top := at.table.Y0
	if at.icicle.Height() > 0 {
		top = at.icicle.Y0
	}
	less := min(want-(at.table.Y1-top), at.strip.Height()-answerStrip*em)
	if less <= 0 {
		return
	}
	at.lower(draw.Snap(less))
}

// answerTimeline is the least height of a timeline below a drawn verdict, in nominal pixels.
const answerTimeline = 110

// place places a drawn verdict in the room of the call structure and the table. Below it is the timeline, or the
// table without scopes.
func (a *answerPart) place(at *regions, timed bool) (place canvas.Rect) {
	d, em := &a.scene, a.canvas.Em
	if !a.Open {
		return place
	}
	a.timed = timed
	at.shorten(em, a.Height(em, d)+answerBelow*em)
	place = at.table
	if at.icicle.Height() > 0 {
		place.Y0 = at.icicle.Y0
	}
	all := place
	place.Y1 = min(place.Y0+a.Height(em, d), place.Y1)
	if rest := canvas.Box(all.X0, place.Y1+10*em, all.X1, all.Y1); rest.Height() < answerTimeline*em {
		a.timed = false
		at.icicle, at.table = canvas.Rect{}, canvas.Box(all.X0, all.Y1, all.X1, all.Y1)
		if rest.Height() > leastTable*em {
			at.table = rest
		} else {
			place.Y1 = all.Y1
		}
	} else if a.timed {
		at.icicle, at.table = rest, canvas.Box(all.X0, all.Y1, all.X1, all.Y1)
	} else {
		at.icicle, at.table = canvas.Rect{}, rest
	}
	return place
}

// aimTimeline makes the timeline mark the highlighted cause.
func (p *Panel) aimTimeline() {
	t, a, v := &p.timeline, &p.answer, &p.scene.Report.Verdict
	if !a.Open || !a.timed {
		t.Blame = timeline.Blame{}
		return
	}
	t.Blame = timeline.BlameOf(v, a.Which)
	if a.due {
		t.Aimed = t.Blame.Zone
	}
	a.due = false
}

// Draw draws the verdict, and marks its frame in the history.
func (a *answerPart) Draw(r, plot canvas.Rect, top float32) {
	c, d := &a.canvas, &a.scene
	if !a.Open {
		return
	}
	a.Answer.Draw(c, d, r)
	a.Mark(c, d, plot, top)
}
