package viewer

import (
	"slices"
	"sync"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostViews is the greatest number of views that the command "back" can return to.
const mostViews = 100

// views is the history of a panel's views. Alt+Left goes back in it.
type views struct{ past, future []report.View }

// record keeps the view before a control, if the control changed the view. A walk from frame to frame is one step.
func (v *views) record(before, after report.View) {
	if sameView(before, after) {
		return
	}
	v.future = v.future[:0]
	if n := len(v.past); n > 0 && onlyAge(v.past[n-1], before) && onlyAge(before, after) {
		return
	}
	if len(v.past) == mostViews {
		v.past = slices.Delete(v.past, 0, 1)
	}
	v.past = append(v.past, before)
}

// back returns the view before now. forth undoes back.
func (v *views) back(now report.View) (report.View, bool)  { return step(&v.past, &v.future, now) }
func (v *views) forth(now report.View) (report.View, bool) { return step(&v.future, &v.past, now) }

func step(from, to *[]report.View, now report.View) (report.View, bool) {
	n := len(*from)
	if n == 0 {
		return now, false
	}
	then := (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, now)
	return then, true
}

// sameView reports whether two views show the same data. The cursor does not count.
func sameView(a, b report.View) bool { return a.Age == b.Age && a.Kept == b.Kept && onlyAge(a, b) }

// onlyAge reports whether two views differ at most in their age.
func onlyAge(a, b report.View) bool {
	return a.Mode == b.Mode && a.Average == b.Average && a.Recursion == b.Recursion && a.Focus == b.Focus &&
		a.Lane == b.Lane && a.Lens == b.Lens && slices.Equal(a.Pin, b.Pin)
}

// viewHistory is the history of a panel's views, with its lock.
type viewHistory struct {
	mu      sync.Mutex
	views   views
	looks   []oldLook
	stepped bool // the last command was a step back or forth
	forgot  bool // a reset was the last change of the view
}

// oldLook holds the user's choices before a change: the table's columns and order, and the zones and lanes kept at
// the top. views is the number of views to go back to at that time.
type oldLook struct {
	columns      []report.Column
	order        report.Order
	zones, lanes []string
	views        int
}

// keepLook notes the columns, and the zones and lanes kept at the top, before a change.
func keepLook(p *Panel) {
	o, v, order := p.Options(), &p.history, p.arrangement().Order
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.looks) == mostViews {
		v.looks = slices.Delete(v.looks, 0, 1)
	}
	v.looks = append(v.looks, oldLook{slices.Clone(o.Columns), order, o.KeptZones, o.KeptLanes, len(v.views.past)})
}

// lookBack returns the look before the last change, if the view has not changed since.
func (v *viewHistory) lookBack() (before oldLook, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := len(v.looks)
	if n == 0 || v.looks[n-1].views < len(v.views.past) {
		return before, false
	}
	before, v.looks, v.stepped = v.looks[n-1], v.looks[:n-1], true
	return before, true
}

// reset notes whether the last action was a reset, and returns the previous note.
func (v *viewHistory) reset(now bool) (before bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	before, v.forgot = v.forgot, now
	return before
}

// keepView records the view of the session before a change, for the command "back". A control that uses neither Run nor
// Act, such as a drag, calls it at its end. Remember also counts the calls of the zone under the cursor: see
// countCalls. Any goroutine may call it.
func (p *Panel) keepView(before report.View) {
	p.card.countCalls()
	after := p.session.View().Get()
	v := &p.history
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stepped {
		v.stepped = false
		return
	}
	v.forgot = v.forgot && sameView(before, after)
	v.views.record(before, after)
}

// goBack shows the previous view, or the previous look if that changed last. Right after a reset it restores the
// measurements: a user who presses Ctrl+Z then wants no other view.
func goBack(s *process.Session, p *Panel) {
	if p.history.reset(false) && s.CanUndoReset() {
		undoReset(s, p)
		return
	}
	if look, ok := p.history.lookBack(); ok {
		p.Change(func(o *Options) { o.Columns, o.KeptZones, o.KeptLanes = look.columns, look.zones, look.lanes })
		p.arrange(func(a *report.Arrangement) { a.Order = look.order })
		return
	}
	p.history.step(s, (*views).back)
}

func goForth(s *process.Session, p *Panel) { p.history.step(s, (*views).forth) }

// step shows the view before or after the current one. It pauses if that is not the newest frame.
func (v *viewHistory) step(s *process.Session, which func(*views, report.View) (report.View, bool)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	then, ok := which(&v.views, s.View().Get())
	v.stepped = true
	if !ok {
		return
	}
	if then.Age > 0 {
		s.Pause()
	}
	s.View().Set(then)
}
