package viewer

import (
	"fmt"
	"slices"
	"sync"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/moment"
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
	after := p.view.Get()
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
	p.history.step(p.view, (*views).back)
}

func goForth(_ *process.Session, p *Panel) { p.history.step(p.view, (*views).forth) }

// step shows the view before or after the current one. It pauses if that is not the newest frame.
func (v *viewHistory) step(of *process.View, which func(*views, report.View) (report.View, bool)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	then, ok := which(&v.views, of.Get())
	v.stepped = true
	if !ok {
		return
	}
	if then.Age > 0 {
		of.Session().Pause()
	}
	of.Set(then)
}

// What follows handles links to a moment: a frame, a zone, a goroutine and a report. See package moment.

// momentOf returns the moment that a view shows.
func momentOf(of *process.View) moment.Moment {
	v, info := of.Get(), of.Info()
	m := moment.Moment{Frame: info.Index, HasFrame: info.Frames > 0 && !v.Through(), Lane: uint64(v.Lane),
		View: modeNames[v.Mode]}
	zone := v.Focus
	if !opens(v.Mode) {
		r, _ := cursorRecord(of)
		zone = r.Zone
	}
	if zone > 0 {
		m.Zone = of.Session().Zone(zone).Name
	}
	return m
}

// opens reports whether a report is about one zone.
func opens(m report.ReportMode) bool {
	return m == report.ReportCallGraph || m == report.ReportCallGraphDescendants
}

// copyLink copies a link to the moment that is shown.
func copyLink(_ *process.Session, p *Panel) {
	link := momentOf(p.view).String()
	if of := p.Options().Link; of != nil {
		link = of(link)
	}
	p.copy(link, "link copied: "+text.Name(link))
}

// link prints the link to the moment that is shown, or goes to the moment of a link.
func (t *Line) link() error {
	if t.Rest == "" {
		t.Printf("#%s", momentOf(t.Panel.view))
		return nil
	}
	m, err := moment.Parse(t.Rest)
	if err != nil {
		return err
	}
	if err := goTo(t, m); err != nil {
		return err
	}
	t.Printf("shows #%s", momentOf(t.Panel.view))
	return nil
}

// goTo shows a moment. It pauses at an old frame. On an error the view stays.
func goTo(t *Line, m moment.Moment) error {
	s, v := t.Session, t.Panel.view
	before := v.Get()
	zone, err := linkedZone(t, m.Zone)
	if err != nil {
		return err
	}
	after := before
	if m.View != "" {
		if after.Mode, err = ModeOf(m.View); err != nil {
			return err
		}
	}
	if after.Lane, err = linkedLane(v, report.LaneID(m.Lane)); err != nil {
		return err
	}
	if opens(after.Mode) && zone > 0 {
		mode := after.Mode
		after = after.Opened(zone)
		after.Mode, after.Cursor = mode, 0
	}
	v.Set(after)
	if m.HasFrame && !v.ShowFrame(m.Frame) {
		v.Set(before)
		return fmt.Errorf("frame %d is not kept here: the history begins at frame %d", m.Frame, oldestIndex(v))
	}
	if v.Get().Age > 0 {
		s.Pause()
	}
	if zone > 0 && !opens(after.Mode) {
		v.SetCursorZone(zone)
	}
	t.Panel.keepView(before)
	return nil
}

// linkedZone returns the zone of a name in a link, 0 for no name.
func linkedZone(t *Line, name string) (report.ZoneID, error) {
	if name == "" {
		return 0, nil
	}
	ids, names := shownZones(t)
	ids, names = addZones(t, ids, names)
	if at := slices.Index(names, text.Name(name)); at >= 0 {
		return ids[at], nil
	}
	return 0, fmt.Errorf("zone %s is not here", text.Name(name))
}

// linkedLane returns the lane of a link, if the session has it.
func linkedLane(v *process.View, lane report.LaneID) (report.LaneID, error) {
	if lane == 0 {
		return 0, nil
	}
	for _, l := range v.AppendLanes(nil) {
		if l.ID == lane {
			return lane, nil
		}
	}
	return 0, fmt.Errorf("goroutine %d is not here: the word lane lists those that are", lane)
}

// oldestIndex returns the number of the oldest frame of the history.
func oldestIndex(v *process.View) uint64 {
	if all := v.Session().AppendFrames(nil, int(v.Info().Frames)); len(all) > 0 {
		return all[0].Index
	}
	return 0
}
