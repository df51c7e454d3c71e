package process

import (
	"slices"
	"weak"

	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/internal/rows"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// View reads a Session for one looker, such as a panel, a page or an HTTP request. It has the looker's choice of a
// report, the cursor, the folded rows and the baseline. Views of a session do not change one another. [Session.View]
// returns the session's default view; [NewView] makes others. Any goroutine may call any method. Methods hold the
// session's lock.
type View struct {
	session *Session
	store   *store.Store // of the session
	rows    rows.Builder
	hot     hotShown
	aside   aside  // data of before the last Reset
	gen     uint64 // number of changes of the view
}

// aside is the data of a view of before the last Reset: the frame shown (see report.View), and what was made for it.
type aside struct {
	age    int
	kept   uint64
	looker store.Looker
}

// views has all views of a session.
type views struct {
	main   View // the default view
	others []weak.Pointer[View]
}

// each calls do for each view.
func (w *views) each(do func(v *View)) {
	do(&w.main)
	for _, p := range w.others {
		if v := p.Value(); v != nil {
			do(v)
		}
	}
}

// View returns the session's default view. The functions of package iprof, the console, and the keys and the overlay of
// a program's own window act on it. Any goroutine may call it.
func (s *Session) View() *View {
	s.lock()
	defer s.mu.Unlock()
	return &s.views.main
}

// NewView returns a new view of a session. It begins with the choices of a new session's default view. Any goroutine
// may call it.
func NewView(s *Session) *View {
	s.lock()
	defer s.mu.Unlock()
	v := new(View)
	v.attach(s)
	w := &s.views
	w.others = append(resize.Delete(w.others, func(p weak.Pointer[View]) bool { return p.Value() == nil }),
		weak.Make(v))
	return v
}

// attach makes v a view of a session.
func (v *View) attach(s *Session) {
	v.session, v.store, v.rows = s, &s.store, rows.New(&s.store)
	v.dropAside()
}

// dropAside forgets the data of before the last Reset.
func (v *View) dropAside() { v.aside = aside{looker: store.NewLooker(v.store)} }

// Session returns the session that the view reads.
func (v *View) Session() *Session { return v.session }

// lock locks the session.
func (v *View) lock() { v.session.lock() }

// unlock unlocks the session.
func (v *View) unlock() { v.session.mu.Unlock() }

// change locks the session for a change of the view.
func (v *View) change() {
	v.lock()
	v.gen++
}

// Generation returns a number that changes whenever a display of the view would change. Any goroutine may call it.
func (v *View) Generation() uint64 {
	v.lock()
	defer v.unlock()
	return v.generation()
}

func (v *View) generation() uint64 { return v.store.Gen + v.gen }

// Get returns the view's choices. Any goroutine may call it.
func (v *View) Get() report.View {
	v.lock()
	defer v.unlock()
	return v.rows.View
}

// Set replaces the view's choices. Values out of range are clamped. The slices Pin and Hidden are copied. Any goroutine
// may call it.
func (v *View) Set(to report.View) {
	to.Pin, to.Hidden = slices.Clone(to.Pin), slices.Clone(to.Hidden)
	v.adjust(func(*report.View) { v.rows.SetView(to) })
}

// adjust changes the view's choices and clamps them.
func (v *View) adjust(change func(r *report.View)) {
	v.change()
	defer v.unlock()
	change(&v.rows.View)
	v.rows.Clamp(&v.rows.View)
}

// look changes the frame shown, and moves the cursor to the zone of the cause if the frame is slow.
func (v *View) look(change func(r *report.View)) {
	v.change()
	defer v.unlock()
	change(&v.rows.View)
	v.reach()
	v.rows.Clamp(&v.rows.View)
	v.rows.Follow()
}

// stay keeps the frame of the view when a paused session takes a frame that ended before the pause.
func (v *View) stay() { v.rows.ShowOlder() }

// turn exchanges the frame shown, and what was made for it, with those of before the last Reset.
func (v *View) turn() {
	r := &v.rows.View
	r.Age, v.aside.age = v.aside.age, r.Age
	r.Kept, v.aside.kept = v.aside.kept, r.Kept
	v.rows.Looker, v.aside.looker = v.aside.looker, v.rows.Looker
}
