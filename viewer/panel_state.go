package viewer

import "example.com/iprof/process"

// State is what a panel shows now. Commands, keys and the mouse change it.
type State struct {
	CardOpen     bool // the card of the cursor's zone is shown
	Guide        int  // the step of the guided look, 0 without one, 1 if it is only offered
	MenuOpen     bool // a menu is open; the keys that move and choose control it
	Choice       Hit  // the line under the open menu's cursor, with the hit of a click on it; HitNone without a menu
	Typing       bool // characters are typed into the filter, or search the open menu
	Lines        bool // the history is drawn as lines
	ScaleLocked  bool // the scales of the history are locked
	CursorFolded bool // the cursor's row is hidden in a folded package

	Filter      string // in lower case, "" without a filter
	CallersOnly bool   // call graphs hide the callees
	Grouped     bool   // rows are grouped by package
	Comparing   bool   // rows are compared with a baseline

	// TimelineFrom and TimelineTo bound the part of the frame that the timeline shows, or will show when it stops
	// moving. The frame is 0..1; its neighbours are outside.
	TimelineFrom, TimelineTo float64
	TimelineRows             int     // rows of scopes that the last Draw laid out
	TimelineSeats            int     // lanes and groups of goroutines that the timeline has a place for
	Ruler                    float64 // ms that the timeline's ruler measures, 0 without a ruler
	Measuring                bool    // the next drag over the timeline measures
}

// State returns the state of the panel. Any goroutine may call it.
func (p *Panel) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.arrangement()
	from, to := p.timeline.view.share()
	return State{
		CardOpen:     p.card.open,
		Guide:        p.guide.step,
		MenuOpen:     p.menu.kind != menuNone,
		Choice:       p.menu.choice(),
		Typing:       p.table.typing || p.menu.kind == menuItems && p.menu.found.on,
		Lines:        p.strip.lines,
		ScaleLocked:  p.strip.locked,
		CursorFolded: p.shown.cursorFold() != nil,
		Filter:       a.Filter,
		CallersOnly:  a.CallersOnly,
		Grouped:      a.Grouping == process.GroupingPackage,
		Comparing:    a.Compare,
		TimelineFrom: from,
		TimelineTo:   to,
		TimelineRows: len(p.timeline.bands.laid),

		TimelineSeats: len(p.timeline.bands.seats),
		Ruler:         max(p.timeline.ruler.to-p.timeline.ruler.from, p.timeline.ruler.from-p.timeline.ruler.to),
		Measuring:     p.timeline.ruler.armed,
	}
}

// choice returns the hit of the line under the cursor.
func (m *menu) choice() Hit {
	if m.kind == menuNone {
		return hitOf(HitNone, 0)
	}
	return m.hit(max(min(m.cursor, m.len()-1), 0))
}
