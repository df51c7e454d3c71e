package viewer

import (
	"slices"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/table"
)

// frozenPicture freezes the picture while the mouse is over it. The recording of frames goes on.
type frozenPicture struct {
	changes  uint64 // of the user in the last Draw that took data
	snapshot process.Snapshot
}

// take takes the snapshot of a Draw, or keeps the last one while the mouse is over a part that would move. After a
// change by the user it takes a new one.
func (p *Panel) take() {
	d, h := &p.scene, &p.frozen
	p.strip.Behind = 0
	if !p.keepsStill() {
		h.changes = p.changes
		kind := d.Info.Kind
		p.load(p.requests())
		d.Late = d.Late || d.Info.Kind != kind // which has other columns
		return
	}
	p.source.Snapshot(&h.snapshot, process.SnapshotOptions{Brief: true})
	now := &h.snapshot.Report
	other := !sameView(now.View, d.View) || !sameArrangement(&now.View.Arrangement, &d.View.Arrangement)
	if other || !now.Frame.Live || now.Frame.Frames < d.Info.Frames ||
		p.card.Open && now.View.Cursor != d.View.Cursor {
		p.load(p.requests())
		return
	}
	if d.View.Cursor != now.View.Cursor && now.View.Cursor < len(d.Report.Records) {
		d.View.Cursor, d.Report.Cursor, d.Report.View.Cursor = now.View.Cursor, now.View.Cursor, now.View.Cursor
	}
	p.strip.Behind = int(now.Frame.Frames - d.Info.Frames)
}

// rowRest releases the order of the rows when no frame ends any more, as of a program that has ended. The time for
// which rows keep their places passes only with frames.
type rowRest struct {
	frames   uint64 // of the last snapshot
	start    time.Time
	released bool
}

// restsAfter is the time without a frame after which rows are sorted at once.
const restsAfter = 2 * time.Second

// take takes the number of frames in a snapshot.
func (r *rowRest) take(frames uint64, now time.Time) {
	if frames != r.frames {
		r.frames, r.start = frames, now
	}
}

// release releases the order, or holds it again once frames end.
func (r *rowRest) release(a *report.Arranger, now time.Time) {
	rests := r.frames > 0 && now.Sub(r.start) >= restsAfter
	if rests != r.released && (r.released || a.Steady) {
		a.Steady, r.released = !rests, rests
	}
}

// load takes a new snapshot, and sets the number of decimals from the resolution of its clock.
func (p *Panel) load(o process.SnapshotOptions) {
	now := p.now()
	p.rest.release(&p.table.Arranger, now)
	p.scene.Take(p.source, o)
	p.scene.Finished = p.options.Finished
	p.rest.take(p.scene.Info.Frames, now)
	clock := report.Decimals(draw.MaxDecimals, 1, p.scene.Info.Tick)
	p.canvas.Decimals = canvas.DecimalsOf(p.options.Precision, clock)
}

func sameArrangement(a, b *report.Arrangement) bool {
	return a.Order == b.Order && a.Filter == b.Filter && a.CallersOnly == b.CallersOnly && a.Grouping == b.Grouping &&
		a.Compare == b.Compare && a.ShowIdle == b.ShowIdle && slices.Equal(a.Hidden, b.Hidden)
}

// keepsStill reports whether the mouse keeps the picture still.
func (p *Panel) keepsStill() bool {
	if !p.options.Focused || !p.canvas.Hover.Here || p.frozen.changes != p.changes || !p.scene.Info.Live {
		return false
	}
	if p.table.Missing { // the wheel brought rows into sight that have no history
		return false
	}
	switch p.scene.Hover.Kind {
	case hit.Record, hit.Caret, hit.Package, hit.Graph, hit.Axis, hit.Legend, hit.Icicle, hit.Structure, hit.Zone,
		hit.Slow, hit.Timeline, hit.TimelineLane, hit.Spread:
		return true
	}
	return false
}

// showAge pauses, and shows the frame of an age in the last Draw: 0 is its newest. Frames that ended since do not
// count. It clamps ages out of range. Any goroutine may call it.
func (h *historyPart) showAge(age int) {
	h.session.Pause()
	h.mu.Lock()
	drawn := h.scene.Info.Frames
	h.mu.Unlock()
	if behind := h.view.Info().Frames; drawn > 0 && behind > drawn {
		age += int(behind - drawn)
	}
	h.view.SetFrame(age)
}

// requests returns the parts of a snapshot for the whole screen.
func (p *Panel) requests() process.SnapshotOptions {
	from, to := p.timeline.View.Reach()
	now := p.source.Get()
	return process.SnapshotOptions{
		Columns:  p.table.Chosen.OrUsual(p.scene.Info.Kind).Values,
		Series:   p.strip.Most(),
		Keep:     p.strip.Keep(now.Lane),
		Also:     p.scene.ZoneUnderMouse(),
		Past:     p.strip.Wants(p.canvas.Em, now.Age),
		Overview: true,
		History:  table.SparkFrames,
		InSight:  p.inSight,
		Values:   p.options.Strip == StripValues,
		Slowest:  p.options.Strip == StripSlowest,
		Lanes:    p.overlay.menu == menuLanes,
		Around:   p.card.Open,
		Calls:    p.card.ReadsCalls(),
		Parts:    p.answer.Open,
		Timeline: p.options.Timeline != TimelineHidden || p.answer.Open || p.card.Open && !p.scene.Info.Live,

		TimelineFrom: from,
		TimelineTo:   to,
	}
}

// State is the visible state of a panel. Commands, keys and the mouse change it.
type State struct {
	CardOpen     bool // the card of the cursor's zone is shown
	Guide        int  // the step of the guided look, 0 without one, 1 while it is only offered
	MenuOpen     bool // a menu is open; the keys that move and choose control it
	Choice       Hit  // the line under the open menu's cursor, with the hit of a click on it; hit.None without a menu
	Typing       bool // characters are typed into the filter, or search the open menu or the help
	Help         bool // the list of keys lies over the screen
	Lines        bool // the history is drawn as lines
	ScaleLocked  bool // the scales of the history are locked
	CursorFolded bool // the cursor's row is hidden in a folded package

	Answer bool // the verdict is drawn

	List    string   // the title of the list in place of the table, "" without one
	Listed  int      // rows of the list after its filter
	ListRow []string // the words of the row under its cursor

	Filter      string // in lower case, "" without a filter
	CallersOnly bool   // call graphs hide the callees
	Grouped     bool   // rows are grouped by package
	Comparing   bool   // rows are compared with a baseline

	// TimelineFrom and TimelineTo are the ends of the timeline's stretch, or of its target while it moves. The frame is
	// 0..1; its neighbours are outside.
	TimelineFrom, TimelineTo float64
	TimelineRows             int     // rows of scopes that the last Draw laid out
	TimelineSeats            int     // number of lanes and groups of goroutines with a place in the timeline
	Ruler                    float64 // ms that the timeline's ruler measures, 0 without a ruler
	Measuring                bool    // the next drag over the timeline measures
}

// State returns the state of the panel. Any goroutine may call it.
func (p *Panel) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.arrangement()
	from, to := p.timeline.View.Share()
	measured, measuring := p.timeline.Ruled()
	title, rows, row := p.listed.summary()
	helps := p.help.typing() && p.options.Mode >= PanelReportAndGraph
	return State{
		List: title, Listed: rows, ListRow: row,

		CardOpen:     p.card.Open,
		Guide:        p.overlay.step,
		MenuOpen:     p.overlay.menu != menuNone,
		Choice:       p.menu.choice(),
		Typing:       p.typing || helps || p.overlay.menu == menuItems && p.menu.search.active,
		Help:         helps,
		Lines:        p.strip.Lines,
		ScaleLocked:  p.strip.Locked,
		CursorFolded: p.scene.CursorFold() != nil,
		Filter:       a.Filter,
		CallersOnly:  a.CallersOnly,
		Grouped:      a.Grouping != report.GroupingNone,
		Comparing:    a.Compare,
		Answer:       p.answer.Open && p.options.Mode == PanelFull,
		TimelineFrom: from,
		TimelineTo:   to,
		TimelineRows: len(p.timeline.Bands.Laid),

		TimelineSeats: len(p.timeline.Bands.Seats),
		Ruler:         measured,
		Measuring:     measuring,
	}
}

// choice returns the hit of the line under the cursor.
func (m *menuPart) choice() Hit {
	if m.overlay.menu == menuNone {
		return hit.Of(hit.None, 0)
	}
	return m.hit(max(min(m.cursor, m.len()-1), 0))
}
