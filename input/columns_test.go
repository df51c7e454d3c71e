package input

import (
	"slices"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// borderOf returns the x of the border at the left of a column.
func (c *Controller) borderOf(t *testing.T, column report.Column) (x, y float64) {
	t.Helper()
	c.layOut()
	x, y = c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Border && h.Index == int(column) })
	return x + 4, y + 2
}

// A drag of a border changes the width of its column, and only that. It stays while frames come.
func TestDraggingABorderChangesTheWidth(t *testing.T) {
	c := newTest(t)
	advance, frames := c.clock(), world.NewGame(3, c.panel.View().Session())
	left, right := report.ColumnMean, report.ColumnMax
	x, y := c.borderOf(t, left)
	other, _ := c.borderOf(t, right)
	for _, dx := range []float64{-30, 20, -55} {
		c.Cursor(x, y)
		c.Button(ButtonLeft, ActionPress, 0)
		c.Cursor(x+dx/2, y+200)
		c.Cursor(x+dx, y)
		c.Button(ButtonLeft, ActionRelease, 0)
		advance(time.Second) // no double click
		for range 30 {
			must.Do(t, frames.Step())
			c.layOut()
		}
		got, _ := c.borderOf(t, left)
		if stays, _ := c.borderOf(t, right); got < x+dx-2 || got > x+dx+2 || stays != other {
			t.Errorf("dragged by %v: got the border at %v, that of the next column at %v; want %v and %v",
				dx, got, stays, x+dx, other)
		}
		x = got
	}
}

// A column keeps room for its heading, and the names keep theirs.
func TestABorderHasLimits(t *testing.T) {
	for _, dx := range []float64{-5000, 5000} {
		c := newTest(t)
		before, y := c.borderOf(t, report.ColumnCount)
		next, _ := c.borderOf(t, report.ColumnMean)
		c.Cursor(before, y)
		c.Button(ButtonLeft, ActionPress, 0)
		c.Cursor(before+dx, y)
		c.Button(ButtonLeft, ActionRelease, 0)
		x, _ := c.borderOf(t, report.ColumnCount)
		first, _ := c.borderOf(t, report.ColumnSelf)
		if x > next-50 || first < 150 {
			t.Errorf("dragged by %v: got the border at %v, the next at %v, the first at %v; want room between them",
				dx, x, next, first)
		}
	}
}

func TestADoubleClickResetsAWidth(t *testing.T) {
	c := newTest(t)
	x, y := c.borderOf(t, report.ColumnMax)
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x-40, y)
	c.Button(ButtonLeft, ActionRelease, 0)
	wide, _ := c.borderOf(t, report.ColumnMax)
	c.Cursor(wide, y)
	for range 2 {
		c.Button(ButtonLeft, ActionPress, 0)
		c.Button(ButtonLeft, ActionRelease, 0)
	}
	if got, _ := c.borderOf(t, report.ColumnMax); wide > x-35 || got != x {
		t.Errorf("got the border at %v, then %v; want about %v, then %v", wide, got, x-40, x)
	}
}

// A game that polls sees the key that gave it the focus back, unless the overlay keeps it until its release.
func TestEscapeStaysCapturedUntilItsRelease(t *testing.T) {
	c := newTest(t)
	c.Key(KeyEscape, ActionPress, 0)
	if c.panel.Options().Focused || !c.Captured() {
		t.Errorf("Escape down: got focused %v, captured %v; want the focus given back, and still captured",
			c.panel.Options().Focused, c.Captured())
	}
	c.Key(KeyEscape, ActionRepeat, 0)
	if !c.Captured() {
		t.Error("Escape held: got not captured; want captured until its release")
	}
	c.Key(KeyEscape, ActionRelease, 0)
	if c.Captured() {
		t.Error("Escape up: got captured; want the keys to be the program's")
	}
}

// F1 without the focus takes no other key from the program.
func TestTheOverlaysKeyCapturesNothingWithoutTheFocus(t *testing.T) {
	c := newTest(t)
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	if !c.Key(KeyF1, ActionPress, 0) || c.Captured() {
		t.Errorf("F1 down: got captured %v; want F1 used and nothing captured", c.Captured())
	}
	if !c.Key(KeyF1, ActionRelease, 0) {
		t.Error("F1 up: got not used; want its release used, too")
	}
}

func TestOnFocusFollowsCaptured(t *testing.T) {
	c := newTest(t)
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	var got []bool
	c.OnFocus(nil)
	c.OnFocus(func(captured bool) {
		if captured != c.Captured() {
			t.Errorf("got %v while Captured is %v; want the same", captured, c.Captured())
		}
		got = append(got, captured)
	})
	for _, step := range []struct {
		key    Key
		action Action
		want   []bool
	}{
		{'W', ActionPress, nil},
		{KeyF2, ActionPress, []bool{true}},
		{KeyF2, ActionRelease, nil},
		{KeyDown, ActionPress, nil},
		{KeyEscape, ActionPress, nil},
		{KeyDown, ActionRelease, nil},
		{KeyEscape, ActionRelease, []bool{false}},
	} {
		got = nil
		if c.Key(step.key, step.action, 0); !slices.Equal(got, step.want) {
			t.Errorf("key %d, action %d: got %v; want %v", step.key, step.action, got, step.want)
		}
	}
}

// Where the program itself takes the focus away, the next event says so.
func TestOnFocusAfterTheProgramsOwnChange(t *testing.T) {
	c := newTest(t)
	var got []bool
	c.OnFocus(func(captured bool) { got = append(got, captured) })
	c.strike(KeyDown, 0)
	c.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	c.Button(ButtonLeft, ActionPress, 0)
	if !slices.Equal(got, []bool{true, false}) {
		t.Errorf("got %v; want captured, then not", got)
	}
}

func TestKeysChangeTheScale(t *testing.T) {
	c := newTest(t)
	c.strike(KeyEqual, ModControl)
	c.strike(KeyEqual, ModControl)
	if got := c.panel.Options().Scale; got != 1.25 {
		t.Errorf("twice larger: got %v; want 1.25", got)
	}
	if c.strike('0', ModControl); c.panel.Options().Scale != 1 {
		t.Errorf("Ctrl+0: got %v; want 1", c.panel.Options().Scale)
	}
	var copied string
	c.panel.Change(func(o *viewer.Options) { o.Clipboard = func(text string) { copied = text } })
	if c.strike('C', 0); copied == "" {
		t.Error("C: got nothing on the clipboard; want the table")
	}
}

// TestVerdictKey goes from the live screen to the slow frame. The replay has a spike in streaming in frame 45.
func TestVerdictKey(t *testing.T) {
	c := newTest(t)
	c.strike('D', 0)
	var r report.Report
	c.panel.View().AppendReport(&r)
	if name := r.Records[r.Cursor].Name; name != "streaming" || r.Frame.Index != 45 || !r.Frame.Paused {
		t.Errorf("got row %q of frame %d, paused %v; want streaming, 45, paused", name, r.Frame.Index, r.Frame.Paused)
	}
	if c.strike(KeySpace, 0); !c.panel.State().Answer || !c.panel.View().Session().Paused() {
		t.Error("Space: got the verdict no longer drawn; want its next cause")
	}
	c.strike(KeyRight, 0)
	c.strike('D', 0)
	if got := c.panel.View().Info().Index; got != 46 {
		t.Errorf("at an ordinary frame: got frame %d; want it to stay 46", got)
	}
	if c.strike(KeyEscape, 0); c.panel.View().Session().Paused() || c.panel.State().Answer {
		t.Error("Esc: got it paused; want it live, as it was")
	}
}

// Enter goes to the zone of the verdict in the rows, in the call structure and in the timeline, as a click on the
// verdict does. From the live view it goes to the frame first; on the zone's row it opens the call graph as well.
func TestEnterGoesToTheVerdictEverywhere(t *testing.T) {
	for name, before := range map[string]func(c *Controller){
		"live":       func(c *Controller) {},
		"the frame":  func(c *Controller) { c.strike(KeyLeftBracket, 0) },
		"twice":      func(c *Controller) { c.strike(KeyEnter, 0) },
		"back again": func(c *Controller) { c.strike('D', 0); c.strike(KeyDown, 0); c.strike(KeyUp, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newTest(t)
			c.clock()
			c.settle()
			before(c)
			c.strike(KeyEnter, 0)
			if got := c.panel.View().Info(); got.Index != 45 || !got.Paused {
				t.Errorf("got frame %d, paused %v; want 45, paused", got.Index, got.Paused)
			}
			graph := report.ReportCallGraph
			if got := c.panel.View().Get().Mode; (got == graph) != (name != "live") {
				t.Errorf("got mode %v; want the call graph from a row of the slow frame only", got)
			}
			if name == "live" {
				if !c.panel.State().Answer {
					t.Error("got no verdict drawn")
				}
			} else {
				c.blames(t)
			}
			c.strike('W', 0)
			c.settle()
			c.strike(KeyEnter, 0)
			c.settle()
			c.on(t, culprit)
			if _, wide := c.time(); wide > 0.99 {
				t.Errorf("got %v of the frame in the timeline; want the scope to blame, and some time around it", wide)
			}
		})
	}
}

// A row that the user has chosen opens as always, also while a verdict is on the screen.
func TestEnterOpensARowThatIsChosen(t *testing.T) {
	c := newTest(t)
	c.strike(KeyDown, 0)
	zone := c.cursorZone()
	c.strike(KeyEnter, 0)
	v, paused := c.panel.View().Get(), c.panel.View().Session().Paused()
	if v.Mode != report.ReportCallGraph || v.Focus != zone || paused {
		t.Errorf("live: got mode %v of zone %d, paused %v; want the call graph of %d, live", v.Mode, v.Focus,
			paused, zone)
	}
	c.strike('1', 0)
	c.strike('D', 0)
	c.strike('W', 0)
	c.strike('0', 0)
	c.strike(KeyDown, 0)
	c.strike(KeyEnter, 0)
	c.settle()
	if _, wide := c.time(); wide != 1 {
		t.Errorf("another row: got %v of the frame in the timeline; want it to stay whole", wide)
	}
}

func TestDragOverTheHistoryChoosesARange(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, column(14))
	to, _ := c.place(t, column(5))
	const from = testFrames - 1 - 14
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x+2, y)
	if v := c.panel.View().Get(); v.Age != 14 || v.Lens.Kind != report.LensOff {
		t.Errorf("press: got age %d, lens %+v; want 14 and none yet", v.Age, v.Lens)
	}
	c.Cursor(to, testHeight-1) // the drag may leave the graph
	want := report.Lens{Kind: report.LensRange, From: from, To: from + 9}
	if got := c.panel.View().Get().Lens; got != want {
		t.Errorf("drag: got %+v; want %+v", got, want)
	}
	c.Button(ButtonLeft, ActionRelease, 0)
	c.Cursor(x, y)
	if got := c.panel.View().Get().Lens; got != want {
		t.Errorf("move after the release: got %+v; want %+v", got, want)
	}
	c.strike(KeyLeft, ModAlt)
	if got := c.panel.View().Get(); got.Lens.Kind != report.LensOff {
		t.Errorf("back: got %+v; want no lens", got.Lens)
	}
	c.strike(KeyRight, ModAlt)
	if c.strike(KeyEscape, 0); c.panel.View().Get().Lens.Kind != report.LensOff || !c.panel.Options().Focused {
		t.Errorf("Escape: got %+v, focus %v; want no lens, and the focus kept", c.panel.View().Get().Lens,
			c.panel.Options().Focused)
	}
}

func TestClickEndsTheRange(t *testing.T) {
	c := newTest(t)
	c.Cursor(c.place(t, column(20)))
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(c.place(t, column(8)))
	c.Button(ButtonLeft, ActionRelease, 0)
	c.tap(c.place(t, column(3)))
	if v := c.panel.View().Get(); v.Lens.Kind != report.LensOff || v.Age != 3 {
		t.Errorf("click: got lens %+v, age %d; want none, 3", v.Lens, v.Age)
	}
	x, y := c.place(t, column(20))
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, ModShift)
	c.Cursor(c.place(t, column(8)))
	c.Button(ButtonLeft, ActionRelease, ModShift)
	if v := c.panel.View().Get(); v.Lens.Kind != report.LensOff || v.Age != 8 {
		t.Errorf("drag with Shift: got lens %+v, age %d; want none, the frame dragged to 8", v.Lens, v.Age)
	}
}

func TestBudgetGoesRound(t *testing.T) {
	c := newTest(t)
	defer c.panel.View().Session().SetFrameBudget(0)
	var got []time.Duration
	for range 7 {
		c.strike('U', 0)
		got = append(got, c.panel.View().Session().FrameBudget())
	}
	if got[0] != time.Second/75 || got[3] != time.Second/144 || got[4] != time.Second/30 ||
		got[5] != time.Second/60 || got[6] != got[0] {
		t.Errorf("budgets: got %v; want 1/75 s … 1/144, 1/30, 1/60 and round again", got)
	}
}

// pick chooses a line of the open menu with the mouse.
func (c *Controller) pick(t *testing.T, name string) {
	t.Helper()
	c.layOut()
	c.tap(c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Command && h.Name == name }))
}

// In a young history, a drag from the empty part begins at the oldest frame.
func TestDragFromBeforeTheHistory(t *testing.T) {
	s := process.NewSession()
	frames := world.NewGame(1, s)
	for range 40 {
		must.Do(t, frames.Step())
	}
	c := NewController(viewer.PanelFor(s))
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	c.layOut()
	c.Cursor(c.place(t, column(200)))
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(c.place(t, column(10)))
	c.Button(ButtonLeft, ActionRelease, 0)
	want := report.Lens{Kind: report.LensRange, From: 0, To: 40 - 1 - 10}
	if got := s.View().Get().Lens; got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}
