package input

import (
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
