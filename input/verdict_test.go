package input

import (
	"testing"

	"example.com/iprof/process/report"
)

// TestVerdictKey goes from the live screen to the slow frame. The replay has a spike in streaming in frame 45.
func TestVerdictKey(t *testing.T) {
	c := newTest(t)
	c.strike('D', 0)
	var r report.Report
	c.session.View().AppendReport(&r)
	if name := r.Records[r.Cursor].Name; name != "streaming" || r.Frame.Index != 45 || !r.Frame.Paused {
		t.Errorf("got row %q of frame %d, paused %v; want streaming, 45, paused", name, r.Frame.Index, r.Frame.Paused)
	}
	if c.strike(KeySpace, 0); !c.panel.State().Answer || !c.session.Paused() {
		t.Error("Space: got the verdict no longer drawn; want its next cause")
	}
	c.strike(KeyRight, 0)
	c.strike('D', 0)
	if got := c.session.View().Info().Index; got != 46 {
		t.Errorf("at an ordinary frame: got frame %d; want it to stay 46", got)
	}
	if c.strike(KeyEscape, 0); c.session.Paused() || c.panel.State().Answer {
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
			if got := c.session.View().Info(); got.Index != 45 || !got.Paused {
				t.Errorf("got frame %d, paused %v; want 45, paused", got.Index, got.Paused)
			}
			graph := report.ReportCallGraph
			if got := c.session.View().Get().Mode; (got == graph) != (name != "live") {
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
	if v := c.session.View().Get(); v.Mode != report.ReportCallGraph || v.Focus != zone || c.session.Paused() {
		t.Errorf("live: got mode %v of zone %d, paused %v; want the call graph of %d, live", v.Mode, v.Focus,
			c.session.Paused(), zone)
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
