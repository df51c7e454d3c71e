package input

import (
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// culprit is the zone of the replay's spike in frame 45.
const culprit = "streaming"

// ways are the inputs that go to the replay's spike. Each may need a preparation.
var ways = map[string]func(t *testing.T, c *Controller){
	"click": func(t *testing.T, c *Controller) { c.tap(c.place(t, column(testFrames-1-45))) },
	"older": func(t *testing.T, c *Controller) {
		c.panel.View().SetFrame(testFrames - 1 - 46)
		c.strike(KeyLeft, 0)
	},
	"newer": func(t *testing.T, c *Controller) {
		c.panel.View().SetFrame(testFrames - 1 - 44)
		c.strike(KeyRight, 0)
	},
	"older 10": func(t *testing.T, c *Controller) { c.panel.View().SetFrame(4); c.strike(KeyLeft, ModShift) },
	"[":        func(t *testing.T, c *Controller) { c.strike(KeyLeftBracket, 0) },
	"]":        func(t *testing.T, c *Controller) { c.strike(KeyHome, 0); c.strike(KeyRightBracket, 0) },
	"M":        func(t *testing.T, c *Controller) { c.strike('M', 0) },
	"slowest": func(t *testing.T, c *Controller) {
		c.panel.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
		c.settle()
		c.tap(c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Slow && h.Index == 0 }))
	},
	"range": func(t *testing.T, c *Controller) {
		x, y := c.place(t, column(testFrames-1-45))
		c.Cursor(x, y)
		c.Button(ButtonLeft, ActionPress, 0)
		c.Cursor(x+5, y)
		c.Cursor(x+15, y)
		c.Button(ButtonLeft, ActionRelease, 0)
	},
	"slow frames": func(t *testing.T, c *Controller) { c.panel.Run("over-frames") },
}

// away moves the cursor to the last row, scrolls the rows and zooms the call structure.
func (c *Controller) away(t *testing.T) {
	t.Helper()
	c.panel.View().SetCursor(1 << 20)
	c.settle()
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Icicle })
	c.Cursor(x, y)
	for range 20 {
		c.Scroll(0, 1)
	}
	c.Cursor(1, 1)
	c.settle()
}

// blames checks that cursor, rows in sight and call structure are on the zone of the verdict.
func (c *Controller) blames(t *testing.T) {
	t.Helper()
	c.settle()
	var r report.Report
	c.panel.View().AppendReport(&r)
	row := r.Records[r.Cursor]
	if row.Name != culprit {
		t.Errorf("cursor: got %q; want %s", row.Name, culprit)
	}
	seen, bar := false, false
	for y := range testHeight {
		for x := 0; x < testWidth; x += 4 {
			h := c.panel.HitAt(float32(x), float32(y))
			seen = seen || h.Kind == hit.Record && h.Zone == row.Zone
			bar = bar || h.Kind == hit.Icicle && h.Zone == row.Zone
		}
	}
	if !seen || !bar {
		t.Errorf("%s: got its row in sight %v, its bar in sight %v; want both", culprit, seen, bar)
	}
}

func TestEveryChangeOfFrameGoesToTheZoneToBlame(t *testing.T) {
	longtest.Skip(t)
	modes := map[string]report.ReportMode{"self": report.ReportSelfTime, "hier": report.ReportHierarchicalTime,
		"tree": report.ReportCallTree}
	for name, way := range ways {
		for words, mode := range modes {
			t.Run(name+" "+words, func(t *testing.T) {
				c := newTest(t)
				c.panel.View().SetReportMode(mode)
				c.away(t)
				way(t, c)
				c.blames(t)
			})
		}
		t.Run(name+" again", func(t *testing.T) {
			c := newTest(t)
			way(t, c)
			c.blames(t)
			c.Cursor(c.place(t, record(0)))
			c.Scroll(0, -300) // the cursor stays on the zone
			c.Cursor(1, 1)
			c.settle()
			c.panel.View().SetFrame(3)
			c.settle()
			way(t, c)
			c.blames(t)
		})
		t.Run(name+" grouped", func(t *testing.T) {
			c := newTest(t)
			c.strike('G', 0)
			c.settle()
			c.strike('G', ModShift)
			c.settle()
			way(t, c)
			c.blames(t)
		})
	}
}

// What the user has chosen to look at stays: a pinned path, the call graph of a zone.
func TestAChosenZoneStays(t *testing.T) {
	for name, choose := range map[string]func(c *Controller){
		"pinned":     func(c *Controller) { c.strike('I', 0) },
		"call graph": func(c *Controller) { c.strike(KeyEnter, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newTest(t)
			c.panel.View().SetCursor(7)
			choose(c)
			c.settle()
			zone := c.cursorZone()
			for _, way := range []string{"[", "M", "range"} {
				ways[way](t, c)
				c.settle()
				if got := c.cursorZone(); got != zone {
					t.Errorf("%s: got the cursor on zone %d; want it to stay on %d", way, got, zone)
				}
			}
		})
	}
}

func (c *Controller) cursorZone() report.ZoneID {
	var r report.Report
	c.panel.View().AppendReport(&r)
	return r.Records[r.Cursor].Zone
}

// The report of slow frames opens at its answer, wherever the cursor was.
func TestSlowFramesOpenAtTheirAnswer(t *testing.T) {
	c := newTest(t)
	c.away(t)
	c.strike('6', 0)
	c.blames(t)
	if _, y := c.place(t, record(0)); y == 0 {
		t.Error("the first row is out of sight")
	}
	c.strike('5', 0) // another report stays on the zone
	c.blames(t)
	s := c.panel.View().Session() // without a slow frame: the first row
	s.View().SetReportMode(report.ReportSelfTime)
	s.SetFrameBudget(1e12)
	s.View().SetCursor(5)
	c.strike('6', 0)
	var r report.Report
	if s.View().AppendReport(&r); r.Cursor > 0 {
		t.Errorf("without a slow frame: got row %d; want the first", r.Cursor)
	}
}

// The key for the next scope of a zone stays with that zone.
func TestNextOccurrenceStaysOnItsZone(t *testing.T) {
	c := newTest(t)
	c.panel.View().Session().Pause()
	c.panel.View().SetCursor(4)
	zone := c.cursorZone()
	for range 30 {
		c.strike('N', ModShift)
		c.settle()
	}
	if got := c.cursorZone(); got != zone {
		t.Errorf("got zone %d; want it to stay %d", got, zone)
	}
}
