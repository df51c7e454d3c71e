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
	timed   bool    // a frame since it opened had scopes: the timeline is below
	tallest float32 // greatest height since it opened, in nominal pixels
	lines   int     // greatest number of lines of its sentence since then,
	wide    float32 // in this width
	origin  struct {
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
	p.openAnswer(view, live, mainCause(&v), nil)
}

// openAnswer draws the verdict on the shown frames, or a slow call. view and live are the user's place before.
func (p *Panel) openAnswer(view report.View, live bool, which int, call *report.SlowCall) {
	p.change(func() {
		a := &p.answer
		a.Open, a.Which, a.due = p.options.Mode == PanelFull, which, call == nil
		a.SetCall(call)
		a.timed, a.tallest, a.wide = false, 0, 0
		if !a.origin.known {
			a.origin.view, a.origin.live, a.origin.known = view, live, a.Open
			a.origin.sight = p.timeline.Sight()
		}
		a.of = p.view.Get()
		a.timeline = p.options.Timeline
		p.notices.line.due = call == nil
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
		if n := answer.Causes(p.answer.Verdict(&p.scene)); n > 0 {
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

// answerWraps is the least height below the sentence if that has several lines, in nominal pixels.
const answerWraps = 300

// answerTimeline is the least height of a timeline below a drawn verdict, in nominal pixels.
const answerTimeline = 90

// The shares of the room below a drawn verdict for the history and, with a timeline, for the table.
const (
	historyShare = 0.31
	tableShare   = 0.22
)

// placeAnswer places a drawn verdict, if there is one.
func placeAnswer(p *Panel, at *regions) (place canvas.Rect) {
	a, bands := &p.answer, float32(0)
	if !a.Open {
		return place
	}
	em := a.canvas.Em
	if wide := at.verdict.Width(); wide != a.wide {
		a.lines, a.wide = 1, wide
	}
	if at.table.Y1-at.verdict.Y1 > answerWraps*em {
		if a.Call(&a.scene) == nil {
			a.lines = max(a.lines, p.notices.linesIn(at.verdict))
		}
	}
	p.notices.lines = a.lines
	at.verdict.Y1 += draw.Snap(float32(a.lines-1) * verdictStep * em)
	if a.timed = a.timed || p.timeline.HasScopes(); a.timed {
		_, bands = p.timeline.Heights(em)
	}
	return a.place(at, bands, rowsHeight(p))
}

// place places a drawn verdict first, then its timeline, the history, and the table: as many as there is room for.
// bands and rows are the greatest useful heights of the timeline and the table, in pixels; 0 is none. No part moves
// while the user looks at other frames.
func (a *answerPart) place(at *regions, bands, rows float32) (place canvas.Rect) {
	em, y := a.canvas.Em, at.verdict.Y1
	a.tallest = max(a.tallest, a.Height(em, &a.scene)/em)
	take := func(height float32) canvas.Rect {
		r := canvas.Box(at.table.X0, y, at.table.X1, draw.Snap(y+height))
		if height > 0 {
			y = r.Y1 + at.gap
		}
		return r
	}
	card, second := a.tallest*em, at.second.Height()
	room := at.table.Y1 - y - card - at.gap
	if second > 0 {
		room -= second + at.gap
	}
	scopes, history, below := shareBelow(em, at.gap, room, bands, rows)
	if scopes+history+below == 0 {
		card, second = at.table.Y1-y, 0
	}
	place = take(card)
	at.icicle = take(scopes)
	at.strip = take(history)
	at.second = take(second)
	at.table.Y0 = at.table.Y1 - below
	return place
}

// shareBelow divides the room below a drawn verdict. bands is 0 without a timeline, a part without room gets 0.
func shareBelow(em, gap, room, bands, rows float32) (scopes, history, below float32) {
	free := room
	if bands > 0 {
		if scopes = answerTimeline * em; room < scopes {
			return 0, 0, 0
		}
		free -= scopes + gap
	}
	if free < leastStrip*em {
		return max(room, 0) * min(scopes, 1), 0, 0
	}
	history = min(max(leastStrip*em, historyShare*room), free)
	if free -= history + gap; free >= leastTable*em {
		if below = min(rows, free); bands > 0 {
			below = min(below, max(leastTable*em, tableShare*room))
		}
		free -= below + gap
	}
	if free += gap; scopes > 0 {
		more := min(free, max(bands-scopes, 0))
		scopes, free = scopes+more, free-more
	}
	if below > 0 {
		more := min(free, max(rows-below, 0))
		below, free = below+more, free-more
	}
	return scopes, history + free, below
}

// aimTimeline makes the timeline mark the highlighted cause.
func aimTimeline(p *Panel) {
	t, a, v := &p.timeline, &p.answer, p.answer.Verdict(&p.scene)
	if !a.Open || !a.timed {
		t.Blame = timeline.Blame{}
		return
	}
	t.Blame = timeline.BlameOf(v, a.Which)
	if call := a.Call(&p.scene); call != nil {
		t.Blame = timeline.Blame{Zone: call.Zone, Usual: call.Usual}
	}
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
