package input

import (
	"slices"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// place returns a point whose hit satisfies a condition.
func (c *Controller) place(t *testing.T, want func(viewer.Hit) bool) (x, y float64) {
	t.Helper()
	for y := range testHeight / 2 {
		for x := range testWidth / 2 {
			if want(c.panel.HitAt(float32(2*x), float32(2*y))) {
				return float64(2 * x), float64(2 * y)
			}
		}
	}
	t.Fatal("the panel has no such place")
	return 0, 0
}

func record(i int) func(viewer.Hit) bool {
	return func(h viewer.Hit) bool { return h.Kind == hit.Record && h.Index == i }
}

func column(age int) func(viewer.Hit) bool {
	return func(h viewer.Hit) bool { return h.Kind == hit.Graph && h.Age == age }
}

// tap clicks the left button at a place.
func (c *Controller) tap(x, y float64) {
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Button(ButtonLeft, ActionRelease, 0)
}

// clock replaces the controller's clock by one that moves only when the test moves it.
func (c *Controller) clock() (advance func(time.Duration)) {
	now := time.Unix(1000, 0)
	c.now = func() time.Time { return now }
	return func(d time.Duration) { now = now.Add(d) }
}

func TestClickMovesTheCursorAndDoubleClickOpens(t *testing.T) {
	c := newTest(t)
	advance := c.clock()
	x, y := c.place(t, record(3))
	var shown report.Report
	c.panel.View().AppendReport(&shown)
	c.tap(x, y)
	if v := c.panel.View().Get(); v.Cursor != 3 || v.Mode != report.ReportSelfTime {
		t.Errorf("click: got %+v; want cursor 3, self time", v)
	}
	advance(400 * time.Millisecond)
	c.tap(x+2, y)
	if v := c.panel.View().Get(); v.Mode != report.ReportCallGraph || v.Focus != shown.Records[3].Zone {
		t.Errorf("double click: got %+v; want the call graph of zone %d", v, shown.Records[3].Zone)
	}
}

func TestSlowOrDistantClicksAreNotDouble(t *testing.T) {
	c := newTest(t)
	advance := c.clock()
	x, y := c.place(t, record(3))
	c.tap(x, y)
	advance(401 * time.Millisecond)
	c.tap(x, y)
	if got := c.panel.View().Get().Mode; got != report.ReportSelfTime {
		t.Errorf("slow second click: got mode %d; want self time", got)
	}
	advance(time.Second)
	c.tap(x, y)
	c.tap(x+6, y)
	if got := c.panel.View().Get().Mode; got != report.ReportSelfTime {
		t.Errorf("distant second click: got mode %d; want self time", got)
	}
}

func TestThirdClickBeginsAnew(t *testing.T) {
	c := newTest(t)
	c.clock()
	x, y := c.place(t, record(3))
	var opened [4]bool
	for i := range opened {
		c.panel.View().SetReportMode(report.ReportSelfTime)
		c.layOut()
		c.tap(x, y)
		opened[i] = c.panel.View().Get().Mode == report.ReportCallGraph
	}
	if opened != [4]bool{false, true, false, true} {
		t.Errorf("four clicks: got %v; want each other one to open the zone", opened)
	}
}

func TestClickAndDragUnderTheGraphShowFrames(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Axis && h.Age == 14 })
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, 0)
	if v := c.panel.View().Get(); v.Age != 14 || !c.panel.View().Session().Paused() {
		t.Errorf("press: got age %d, paused %v; want 14, paused", v.Age, c.panel.View().Session().Paused())
	}
	to, _ := c.place(t, column(5))
	c.Cursor(to, testHeight-1) // the drag may leave the graph
	if got := c.panel.View().Get().Age; got != 5 {
		t.Errorf("drag: got age %d; want 5", got)
	}
	c.Button(ButtonLeft, ActionRelease, 0)
	c.Cursor(x, y)
	if got := c.panel.View().Get().Age; got != 5 {
		t.Errorf("move after the release: got age %d; want 5", got)
	}
}

func TestClicksLandWhereTheCursorIsOnHiDPI(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, record(4))
	c.SetScale(2)
	c.SetScale(0) // ignored
	c.tap(x/2, y/2)
	if got := c.panel.View().Get().Cursor; got != 4 {
		t.Errorf("cursor: got %d; want 4", got)
	}
}

func TestClicksOnTabsAndHeaders(t *testing.T) {
	c := newTest(t)
	c.tap(c.place(t, func(h viewer.Hit) bool {
		return h.Kind == hit.Tab && report.ReportMode(h.Index) == report.ReportHierarchicalTime
	}))
	if got := c.panel.View().Get().Mode; got != report.ReportHierarchicalTime {
		t.Errorf("tab: got mode %d; want hierarchical time", got)
	}
	c.layOut()
	c.tap(c.place(t, func(h viewer.Hit) bool {
		return h.Kind == hit.Header && report.Column(h.Index) == report.ColumnSelf
	}))
	if got := c.panel.View().Get().Mode; got != report.ReportSelfTime {
		t.Errorf("header of self time: got mode %d; want self time", got)
	}
	c.tap(c.place(t, func(h viewer.Hit) bool {
		return h.Kind == hit.Header && report.Column(h.Index) == report.ColumnHier
	}))
	if got := c.panel.View().Get().Mode; got != report.ReportHierarchicalTime {
		t.Errorf("header of hierarchical time: got mode %d; want hierarchical time", got)
	}
}

func TestClickOnTheIcicleFindsTheRecord(t *testing.T) {
	c := newTest(t)
	c.clock()
	var bar viewer.Hit
	x, y := c.place(t, func(h viewer.Hit) bool { bar = h; return h.Kind == hit.Icicle && h.Zone > 4 })
	c.tap(x, y)
	var shown report.Report
	c.panel.View().AppendReport(&shown)
	if got := shown.Records[shown.Cursor].Zone; got != bar.Zone {
		t.Errorf("click: got the cursor on zone %d; want %d", got, bar.Zone)
	}
	c.tap(x, y)
	if c.layOut(); !c.panel.Settling() || c.panel.View().Get().Mode == report.ReportCallGraph {
		t.Error("double click: got the structure still, or the call graph; want the bar growing to the whole width")
	}
}

func TestWheelScrollsWholeRows(t *testing.T) {
	c := newTest(t)
	c.Cursor(c.place(t, record(0)))
	for range 5 {
		if !c.Scroll(0, -0.1) {
			t.Fatal("wheel over the table: got not used; want used")
		}
	}
	at := func(i int) float64 {
		c.layOut()
		_, y := c.place(t, record(i))
		return y
	}
	row := at(3) - at(2)
	top := at(5)
	c.Scroll(0, -0.1)
	if got := top - at(5); got != 0 {
		t.Errorf("six tenths of a notch: got %g pixels more than five; want the same row", got)
	}
	c.Scroll(0, -0.1)
	if got := top - at(5); got < row-2 || got > row+2 {
		t.Errorf("seven tenths of a notch: got %g pixels more than six; want a row, %g", got, row)
	}
}

// While the mouse is over the history, frames go on ending, but a click shows the frame that is drawn under it.
func TestClickOnAHeldHistoryShowsTheFrameThatIsDrawn(t *testing.T) {
	session := process.NewSession()
	frames := world.NewGame(1, session)
	step := func() {
		must.Do(t, frames.Step())
	}
	for range testFrames {
		step()
	}
	c := NewController(viewer.PanelFor(session))
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	c.layOut()
	c.clock()
	x, y := c.place(t, column(14))
	c.Cursor(x, y)
	c.layOut()
	c.layOut()
	const want = testFrames - 1 - 14
	for range 9 {
		step()
		c.layOut()
	}
	c.tap(x, y)
	if got := c.panel.View().Info().Index; got != want {
		t.Errorf("click: got frame %d; want %d", got, want)
	}
}

// The tip of the verdict does not lie over what a click on it shows.
func TestAPressEndsTheTip(t *testing.T) {
	c := newTest(t)
	at := time.Now()
	c.panel.Change(func(o *viewer.Options) { o.Now = func() time.Time { return at } })
	tip := func() bool {
		c.layOut()
		c.layOut()
		var l draw.List
		c.panel.Draw(&l, testWidth, testHeight, 1)
		return slices.ContainsFunc(l.AppendWords(nil), func(w draw.Words) bool { return w.Text == "live or paused" })
	}
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Pause })
	c.Cursor(x, y)
	if at = at.Add(time.Second); !tip() {
		t.Fatal("got no tip where the mouse rests")
	}
	c.Button(ButtonLeft, ActionPress, 0)
	c.Button(ButtonLeft, ActionRelease, 0)
	if at = at.Add(time.Second); tip() {
		t.Error("after a press: got the tip; want none")
	}
	c.Cursor(x+1, y)
	if at = at.Add(time.Second); !tip() {
		t.Error("after a move: got no tip; want it again")
	}
	c.Scroll(0, 1)
	if tip() {
		t.Error("after the wheel: got the tip; want none")
	}
}

func TestClickShowsASlowFrameThatHasLeftTheHistory(t *testing.T) {
	c := newTest(t)
	slowest := c.panel.View().Session().AppendSlowest(nil)[0].Index
	c.panel.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
	c.panel.View().Session().SetHistory(2, 2)
	c.layOut()
	first := func(h viewer.Hit) bool { return h.Kind == hit.Slow && h.Index == 0 }
	x, y := c.place(t, first)
	c.tap(x, y)
	if i := c.panel.View().Info(); !i.Kept || i.Index != slowest || !c.panel.View().Session().Paused() {
		t.Errorf("got frame %d, kept %v, paused %v; want %d from the kept ones, paused", i.Index, i.Kept,
			c.panel.View().Session().Paused(), slowest)
	}
	c.panel.View().Session().SetHistoryLimits(process.HistoryLimits{Slowest: -1})
	c.panel.View().SetFrame(0)
	c.layOut()
	if c.tap(x, y); c.panel.View().Info().Kept {
		t.Error("got a frame that nobody keeps")
	}
}

// polled is a library that is asked for the state of its keys, which have names.
type polled struct {
	held map[string]bool
	now  time.Time
	*Poller[string]
}

func newPolled(t *testing.T) *polled {
	c := newTest(t)
	p := &polled{held: map[string]bool{}, now: time.Unix(1000, 0)}
	c.now = func() time.Time { return p.now }
	p.Poller = &Poller[string]{Controller: c, Down: func(key string) bool { return p.held[key] },
		Keys: map[string]Key{"down": KeyDown, "left": KeyLeft, "shift": KeyRightShift, "f1": KeyF1, "escape": KeyEscape,
			"w": 'W'}}
	return p
}

// hold holds the keys alone for a frame.
func (p *polled) hold(keys ...string) {
	clear(p.held)
	for _, k := range keys {
		p.held[k] = true
	}
	p.Poll(Mouse{})
}

func TestPolledKeysDriveTheSession(t *testing.T) {
	p := newPolled(t)
	p.hold("down")
	p.hold("down")
	if got := p.Controller.panel.View().Get().Cursor; got != 1 {
		t.Errorf("down held for two frames: got cursor %d; want 1, one press", got)
	}
	p.hold()
	p.hold("shift", "left")
	p.hold()
	if got := p.Controller.panel.View().Get().Age; got != 10 {
		t.Errorf("Shift and left: got age %d; want 10", got)
	}
}

func TestPolledKeysRepeat(t *testing.T) {
	p := newPolled(t)
	p.hold("down")
	for _, step := range []struct {
		after  time.Duration
		cursor int
	}{{400 * time.Millisecond, 1}, {100 * time.Millisecond, 2}, {10 * time.Millisecond, 2},
		{40 * time.Millisecond, 3}} {
		p.now = p.now.Add(step.after)
		if p.hold("down"); p.Controller.panel.View().Get().Cursor != step.cursor {
			t.Errorf("%v later: got cursor %d; want %d", step.after, p.Controller.panel.View().Get().Cursor,
				step.cursor)
		}
	}
}

// The program sees neither the Escape that gives the focus back, nor F1.
func TestAPollingProgramSeesNoKeyOfTheOverlay(t *testing.T) {
	p := newPolled(t)
	p.hold("escape")
	if !p.Controller.Captured() || !p.Used("escape") {
		t.Error("Escape held: got free for the program; want it captured")
	}
	p.hold()
	if p.Controller.Captured() || p.Used("escape") {
		t.Error("Escape released: got captured; want the keys to be the program's")
	}
	p.hold("f1", "w")
	if !p.Used("f1") || p.Used("w") || p.Controller.Captured() {
		t.Errorf("F1 and W without the focus: got used %v and %v; want F1 alone", p.Used("f1"), p.Used("w"))
	}
}

func TestPolledMouse(t *testing.T) {
	p := newPolled(t)
	row := p.Controller.panel.View().Get().Cursor
	for y := 100.0; y < testHeight && row == 0; y += 4 { // a click on another row than the first
		p.Poll(Mouse{X: 200, Y: y})
		p.Poll(Mouse{X: 200, Y: y, Left: true})
		p.Poll(Mouse{X: 200, Y: y})
		p.now = p.now.Add(time.Second) // no double click
		row = p.Controller.panel.View().Get().Cursor
	}
	if row == 0 {
		t.Error("clicks down the screen: got no row chosen; want one")
	}
}

func TestThePolledWheelScrolls(t *testing.T) {
	p, same := newPolled(t), newTest(t)
	x, y := same.place(t, record(0))
	p.Controller.layOut()
	_, before := same.place(t, record(5))
	p.Poll(Mouse{X: x, Y: y, ScrollY: -1})
	same.Cursor(x, y)
	same.Scroll(0, -1)
	p.Controller.layOut()
	same.layOut()
	_, got := p.Controller.place(t, record(5))
	if _, want := same.place(t, record(5)); got != want || want == before {
		t.Errorf("got a row at %v; want it at %v, as of the same events, and no longer at %v", got, want, before)
	}
}

func TestGLFWKeysAreTheirOwnNumbers(t *testing.T) {
	keys := GLFWKeys[int32]()
	for _, b := range defaults() {
		if keys[int32(b.Key)] != b.Key {
			t.Errorf("key %d: got %d; want the same", b.Key, keys[int32(b.Key)])
		}
	}
}

// A Poller whose overlay is hidden uses no key of the program.
func TestAHiddenOverlayTakesF1Alone(t *testing.T) {
	p := newPolled(t)
	p.Controller.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelOff, false })
	p.hold("down", "escape", "w", "f1")
	for key, want := range map[string]bool{"down": false, "escape": false, "w": false, "f1": true} {
		if p.Used(key) != want {
			t.Errorf("%s: got used %v; want %v", key, p.Used(key), want)
		}
	}
}
