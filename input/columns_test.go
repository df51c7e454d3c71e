package input

import (
	"slices"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
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
	advance, frames := c.clock(), replay.New(3, c.session)
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
