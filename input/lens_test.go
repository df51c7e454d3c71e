package input

import (
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

func TestDragOverTheHistoryChoosesARange(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, column(14))
	to, _ := c.place(t, column(5))
	const from = testFrames - 1 - 14
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x+2, y)
	if v := c.session.View().Get(); v.Age != 14 || v.Lens.Kind != report.LensOff {
		t.Errorf("press: got age %d, lens %+v; want 14 and none yet", v.Age, v.Lens)
	}
	c.Cursor(to, testHeight-1) // the drag may leave the graph
	want := report.Lens{Kind: report.LensRange, From: from, To: from + 9}
	if got := c.session.View().Get().Lens; got != want {
		t.Errorf("drag: got %+v; want %+v", got, want)
	}
	c.Button(ButtonLeft, ActionRelease, 0)
	c.Cursor(x, y)
	if got := c.session.View().Get().Lens; got != want {
		t.Errorf("move after the release: got %+v; want %+v", got, want)
	}
	c.strike(KeyLeft, ModAlt)
	if got := c.session.View().Get(); got.Lens.Kind != report.LensOff {
		t.Errorf("back: got %+v; want no lens", got.Lens)
	}
	c.strike(KeyRight, ModAlt)
	if c.strike(KeyEscape, 0); c.session.View().Get().Lens.Kind != report.LensOff || !c.panel.Options().Focused {
		t.Errorf("Escape: got %+v, focus %v; want no lens, and the focus kept", c.session.View().Get().Lens,
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
	if v := c.session.View().Get(); v.Lens.Kind != report.LensOff || v.Age != 3 {
		t.Errorf("click: got lens %+v, age %d; want none, 3", v.Lens, v.Age)
	}
	x, y := c.place(t, column(20))
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, ModShift)
	c.Cursor(c.place(t, column(8)))
	c.Button(ButtonLeft, ActionRelease, ModShift)
	if v := c.session.View().Get(); v.Lens.Kind != report.LensOff || v.Age != 8 {
		t.Errorf("drag with Shift: got lens %+v, age %d; want none, the frame dragged to 8", v.Lens, v.Age)
	}
}

func TestBudgetGoesRound(t *testing.T) {
	c := newTest(t)
	defer c.session.SetFrameBudget(0)
	var got []time.Duration
	for range 7 {
		c.strike('U', 0)
		got = append(got, c.session.FrameBudget())
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
	frames := replay.New(1, s)
	for range 40 {
		must.Do(t, frames.Step())
	}
	c := newController(s)
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
