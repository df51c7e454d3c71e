package viewer

import (
	"math"
	"sync"
	"time"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
)

// MouseAction is what happened to the mouse.
type MouseAction uint8

// The actions of the mouse.
const (
	MouseMove MouseAction = iota
	MousePress
	MouseRelease
)

// Button is a mouse button. The numbers are GLFW's.
type Button int

// The buttons of the mouse. A panel ignores others.
const (
	ButtonLeft   Button = 0
	ButtonRight  Button = 1
	ButtonMiddle Button = 2
)

// A MouseEvent is a move of the mouse, or the press or the release of a button.
type MouseEvent struct {
	Action         MouseAction
	Button         Button    // of a press or a release
	X, Y           float32   // the place of the mouse, in device pixels from the top left
	Shift, Control bool      // these keys are held
	Time           time.Time // two presses soon after each other are a double click
}

// A WheelEvent is a turn of the wheel, in notches. Scrolling down is negative.
type WheelEvent struct {
	X, Y              float32 // the place of the mouse, in device pixels from the top left
	Sideways, Notches float64
}

const (
	doubleClick  = 400 * time.Millisecond
	doubleRadius = 5  // greatest distance between the two presses, device pixels
	farEnough    = 4  // least distance of a drag over the history, device pixels; below it, a press is a click
	rowsPerNotch = 3  // of the wheel
	panPerNotch  = 60 // distance that a notch of a sideways wheel moves the time, device pixels
)

// mouse is the state of the mouse between its events.
type mouse struct {
	mu    sync.Mutex // of the events of mouse and keyboard; taken before the panel's
	x, y  float32
	drag  *drag   // what a held button moves, or nil
	last  click   // the next press may complete a double click
	wheel float64 // scrolled part of a row that is not applied yet
}

// A drag is what a held button moves. Its functions may be nil.
type drag struct {
	button Button
	move   func(x, y, dx, dy float32)
	end    func() // the button is released
	cancel func() // the host takes the mouse
}

// click is the place and the time of a press.
type click struct {
	at   time.Time
	x, y float32
}

// press is the press of a button on a part of the screen, and its effects.
type press struct {
	MouseEvent
	hit     Hit
	second  bool        // completes a double click
	view    report.View // the view that the command "back" restores
	drag    *drag       // begins
	run     string      // the command that runs after the press, or ""
	atMouse bool        // it runs at the place of the mouse
}

// Mouse takes an event of the mouse, and reports whether the panel used it. A panel that is hidden or has no focus uses
// none, and ends a drag. Commands run on the calling goroutine. Any goroutine may call it.
func (p *Panel) Mouse(e MouseEvent) (used bool) {
	done, used := p.takeMouse(&e)
	switch {
	case done == nil:
	case done.atMouse:
		p.runAt(done.run, e.X, e.Y)
	default:
		p.Run(done.run)
	}
	return used
}

// takeMouse has the effect of an event, but for the command of a press, which runs without the lock.
func (p *Panel) takeMouse(e *MouseEvent) (done *press, used bool) {
	p.pointer.mu.Lock()
	defer p.pointer.mu.Unlock()
	switch e.Action {
	case MouseMove:
		return nil, p.moveMouse(e)
	case MouseRelease:
		p.pointer.release(e.Button)
		return nil, false
	}
	h := p.HitAt(e.X, e.Y)
	if !p.listens() || h.Kind == hit.None && p.Options().Mode != PanelFull {
		return nil, false
	}
	done = &press{MouseEvent: *e, hit: h}
	p.pointer.x, p.pointer.y = e.X, e.Y // a drag begins here, also after a touch, which does not move before it presses
	p.doPress(done)
	return done, true
}

// moveMouse moves the dragged object, and the highlight under the mouse.
func (p *Panel) moveMouse(e *MouseEvent) (used bool) {
	m := &p.pointer
	dx, dy := e.X-m.x, e.Y-m.y
	m.x, m.y = e.X, e.Y
	if !p.listens() {
		m.drop()
		p.SetHover(float32(math.NaN()), 0)
		return false
	}
	p.SetHover(e.X, e.Y)
	if m.drag != nil {
		if m.drag.move != nil {
			m.drag.move(e.X, e.Y, dx, dy)
		}
		return true
	}
	return p.HitAt(e.X, e.Y).Kind != hit.None
}

// release ends the drag of a button.
func (m *mouse) release(b Button) {
	d := m.drag
	if d == nil || b != d.button && b != ButtonLeft {
		return
	}
	m.drag = nil
	if d.end != nil {
		d.end()
	}
}

// drop ends a drag when the host takes the mouse.
func (m *mouse) drop() {
	if d := m.drag; d != nil && d.cancel != nil {
		d.cancel()
	}
	m.drag = nil
}

// second reports whether a press completes a double click. A third press begins a new one.
func (m *mouse) second(e *MouseEvent) bool {
	dx, dy := e.X-m.last.x, e.Y-m.last.y
	if e.Time.Sub(m.last.at) <= doubleClick && dx*dx+dy*dy <= doubleRadius*doubleRadius {
		m.last = click{}
		return true
	}
	m.last = click{e.Time, e.X, e.Y}
	return false
}

// doPress carries out a press, but for its command.
func (p *Panel) doPress(e *press) {
	p.endTip()
	e.view = p.view.Get()
	switch e.Button {
	case ButtonLeft:
		e.second = p.pointer.second(&e.MouseEvent)
		p.pressLeft(e)
	case ButtonMiddle:
		if e.hit.Kind == hit.Graph || e.hit.Kind == hit.Axis {
			p.pointer.release(ButtonLeft)
			e.drag = p.strip.dragHistory()
		}
	case ButtonRight:
		p.pressRight(e)
	}
	if e.drag != nil {
		e.drag.button = e.Button
		p.pointer.drag = e.drag
	}
	p.remember(e.view)
}

// Wheel takes a turn of the wheel, and reports whether the panel used it. A panel that is hidden or has no focus uses
// none. Any goroutine may call it.
func (p *Panel) Wheel(e WheelEvent) (used bool) {
	p.pointer.mu.Lock()
	defer p.pointer.mu.Unlock()
	h := p.HitAt(e.X, e.Y)
	if !p.listens() || h.Kind == hit.None && p.Options().Mode != PanelFull {
		return false
	}
	p.endTip()
	switch h.Kind {
	case hit.Icicle, hit.Structure:
		p.zoom(e.X, e.Notches)
	case hit.Graph, hit.Axis, hit.Ribbon:
		p.strip.zoomHistory(e.X, e.Sideways, e.Notches)
	case hit.Timeline:
		if e.Sideways != 0 {
			p.pan(float32(e.Sideways*panPerNotch), 0)
		}
		if e.Notches != 0 {
			p.zoom(e.X, e.Notches)
		}
	case hit.TimelineLane:
		p.timeline.scroll(p.pointer.rows(e.Notches))
	default:
		p.scroll(p.pointer.rows(e.Notches))
	}
	return true
}

// rows returns the number of whole rows to scroll down. It keeps the rest for the next event.
func (m *mouse) rows(notches float64) int {
	m.wheel -= notches * rowsPerNotch
	rows := int(m.wheel)
	m.wheel -= float64(rows)
	return rows
}

// pressRight opens the menu for the part of the screen under the mouse.
func (p *Panel) pressRight(e *press) {
	e.atMouse = true
	switch h := e.hit; h.Kind {
	case hit.Record, hit.Caret:
		p.view.SetCursor(h.Index)
		e.run = "row-menu"
	case hit.Icicle, hit.Legend, hit.Zone, hit.Timeline:
		e.run = "menu"
		if h.Zone >= 0 {
			p.view.SetCursorZone(h.Zone)
			e.run = "row-menu"
		}
	case hit.Graph, hit.Axis, hit.Slow:
		e.run = "frames"
	case hit.TimelineLane:
		e.run = "lane-menu"
	case hit.Guide:
		p.guide.press(h.Index)
	case hit.Header, hit.Border:
		e.run, e.atMouse = "columns", false
	default:
		if p.State().MenuOpen {
			p.menu.close()
			return
		}
		e.run = "menu"
	}
}

// pressLeft passes the press of the left button on to the part of the screen under the mouse.
func (p *Panel) pressLeft(e *press) {
	switch h := e.hit; h.Kind {
	case hit.Lane, hit.Column, hit.MenuAway, hit.Guide:
		p.choose(h)
	case hit.Command:
		p.menu.close()
		e.run = h.Name
	case hit.Compare:
		e.run = "compare"
	case hit.Clear:
		e.run = "clear-slowest"
	case hit.Filter:
		e.run = "find"
	case hit.Lanes:
		e.run = "pick-lane"
	case hit.Pause:
		e.run = "pause"
	case hit.Tab:
		p.view.SetReportMode(report.ReportMode(h.Index))
	case hit.Legend, hit.Zone:
		if p.view.SetCursorZone(h.Zone); e.second {
			p.view.Set(p.view.Get().Opened(h.Zone))
		}
	case hit.Icicle, hit.Structure:
		p.ice.Mouse(e)
	case hit.Timeline, hit.TimelineLane:
		p.timeline.Mouse(e)
	case hit.Spread:
		p.card.Mouse(e)
		e.drag.end = func() { endBrush(p) }
	case hit.ListRow, hit.ListHeader:
		if p.listed.Mouse(e); h.Kind == hit.ListRow {
			goToListed(p)
		}
	case hit.Caret, hit.Record, hit.Package, hit.Header, hit.Border:
		p.table.Mouse(e)
	default:
		p.strip.Mouse(e)
	}
}

// choose carries out the choice of a line of a menu, or a press on the guided look.
func (p *Panel) choose(h Hit) {
	switch h.Kind {
	case hit.Lane:
		if h.Name != "" {
			p.menu.toggleGroup(h.Name)
			return
		}
		p.view.SetLane(h.Lane)
		p.menu.close()
	case hit.Column:
		toggleColumn(p, report.Column(h.Index))
	case hit.MenuAway:
		p.menu.close()
	case hit.Guide:
		p.guide.press(h.Index)
	}
}

// Mouse shows a frame, selects frames, or moves the history.
func (h *historyPart) Mouse(e *press) {
	switch e.hit.Kind {
	case hit.LateGroup:
		h.change(func() { h.Select(e.hit.Index) })
	case hit.Comment:
		h.goToComment(e.hit.Index)
	case hit.Section:
		h.selectSection(uint64(e.hit.Index))
	case hit.Slow:
		if index, ok := h.frameAt(e.hit); ok {
			h.session.Pause()
			h.view.ShowFrame(index)
		}
	case hit.Ribbon:
		h.startRibbon(e.X)
		e.drag = &drag{move: func(x, _, _, _ float32) { h.dragRibbon(x) }, end: h.endRibbon, cancel: h.endRibbon}
	case hit.Graph:
		if e.Control {
			e.drag = h.dragHistory()
			return
		}
		if !e.Shift {
			e.drag = h.dragRange(e)
			return
		}
		fallthrough
	case hit.Axis:
		clearLens(h.view)
		e.drag = &drag{move: func(x, _, _, _ float32) { h.showFrameUnder(x, e.Y) }}
		h.showFrameUnder(e.X, e.Y)
	}
}

// dragHistory moves the history.
func (h *historyPart) dragHistory() *drag {
	return &drag{move: func(_, _, dx, _ float32) { h.slideHistory(dx) }}
}

// showFrameUnder shows the frame whose column is under the mouse. It gets the height of the press, so a drag may leave
// the history.
func (h *historyPart) showFrameUnder(x, y float32) {
	if under := h.hitAt(x, y); under.Kind == hit.Graph || under.Kind == hit.Axis {
		h.showAge(under.Age)
	}
}

// dragRange shows the frame of the column under the mouse. A drag from there selects the frames from the press to the
// mouse. It uses the height of the press, so it may leave the history.
func (h *historyPart) dragRange(e *press) *drag {
	clearLens(h.view)
	h.showAge(e.hit.Age)
	from, ok := h.frameNear(e.hit.Age)
	if !ok {
		return nil
	}
	moved := false
	return &drag{move: func(x, _, _, _ float32) {
		if d := x - e.X; !moved && d < farEnough && d > -farEnough {
			return
		}
		under := h.hitAt(x, e.Y)
		to, ok := h.frameNear(under.Age)
		if under.Kind != hit.Graph || !ok {
			return
		}
		moved = true
		h.view.SetLens(report.Lens{Kind: report.LensRange, From: from, To: to})
	}, end: func() {
		if moved {
			h.remember(e.view)
		}
	}}
}

// frameNear returns the number of the frame of an age. If the history is shorter, it returns the number of the oldest
// frame.
func (h *historyPart) frameNear(age int) (index uint64, ok bool) {
	for ; age >= 0 && !ok; age-- {
		index, ok = h.frameAt(Hit{Kind: hit.Graph, Age: age})
	}
	return index, ok
}

// Mouse begins to drag the call structure. A double click fits the bar to the width of the screen; on a bar
// that already fits, it shows the whole frame.
func (s *structurePart) Mouse(e *press) {
	e.drag = &drag{move: func(_, _, dx, dy float32) { s.pan(dx, dy) }}
	if e.second {
		e.run, e.atMouse = "fit", true
	} else if e.hit.Kind == hit.Icicle {
		s.view.SetCursorZone(e.hit.Zone)
	}
}

// Mouse begins to drag the time, and moves the cursor to the zone under the mouse. A double click fits the
// scope to the width of the screen; on a scope that already fits, it shows the whole frame. With Shift, or after the
// command "ruler", a drag measures.
func (t *timelinePart) Mouse(e *press) {
	if e.hit.Kind == hit.TimelineLane {
		t.pressLane(e.hit)
		return
	}
	if e.Shift || t.measuring() {
		e.drag = &drag{move: func(x, y, _, _ float32) { t.dragRuler(x, y) }}
		t.startRuler(e.X, e.Y)
		return
	}
	e.drag = &drag{move: func(_, _, dx, dy float32) { t.pan(dx, dy) }}
	if e.second {
		e.run, e.atMouse = "fit", true
	} else if e.hit.Zone >= 0 {
		t.view.SetCursorZone(e.hit.Zone)
	}
}

// pressLane shows one lane alone, or all lanes again. It opens or folds a group.
func (t *timelinePart) pressLane(h Hit) {
	if h.Name != "" {
		t.change(func() { t.ToggleGroup(h.Name) })
		return
	}
	lane := h.Lane
	if t.view.Get().Lane == lane {
		lane = 0
	}
	t.view.SetLane(lane)
}

// Mouse begins to choose a part of a histogram.
func (c *cardPart) Mouse(e *press) {
	c.change(func() { c.StartBrush(e.hit.Index, e.X) })
	e.drag = &drag{move: func(x, _, _, _ float32) { c.change(func() { c.DragBrush(x) }) }}
}

// Mouse chooses a row, or sorts by a heading.
func (l *listPart) Mouse(e *press) {
	l.change(func() {
		if e.hit.Kind == hit.ListRow {
			l.Cursor = e.hit.Index
			return
		}
		l.Sort(e.hit.Index)
	})
}

// Mouse carries out a press on a row, a heading or the border of a column.
func (t *tablePart) Mouse(e *press) {
	switch h := e.hit; h.Kind {
	case hit.Caret:
		if t.view.Get().Mode == report.ReportCallTree {
			t.view.ToggleFold(h.Index)
			return
		}
		t.view.SetCursor(h.Index)
		t.view.Select()
	case hit.Record:
		t.view.SetCursor(h.Index)
		switch {
		case t.LeadsToCalls(e.X):
			e.run = "slow-calls"
		case e.second:
			t.view.Select()
		}
	case hit.Package:
		t.toggleFold(h.Index)
	case hit.Header:
		t.pressHeading(e, report.Column(h.Index))
	case hit.Border:
		column := report.Column(h.Index)
		if e.second {
			t.change(func() { t.ResetColumn(column) })
			return
		}
		e.drag = &drag{move: func(x, _, _, _ float32) { t.change(func() { t.DragColumn(x, t.canvas.Em) }) }}
		t.change(func() { t.StartColumn(column, e.X) })
	}
}

// pressHeading sorts the table by a column. The self and hierarchical columns of a flat report choose the report that
// is sorted by them.
func (t *tablePart) pressHeading(e *press, column report.Column) {
	mode := t.source.Get().Mode
	flat := mode == report.ReportSelfTime || mode == report.ReportHierarchicalTime
	switch {
	case flat && column == report.ColumnSelf && mode != report.ReportSelfTime:
		t.view.SetReportMode(report.ReportSelfTime)
		e.run = "as-reported"
	case flat && column == report.ColumnHier && mode != report.ReportHierarchicalTime:
		t.view.SetReportMode(report.ReportHierarchicalTime)
		e.run = "as-reported"
	default:
		t.sortBy(column)
	}
}
