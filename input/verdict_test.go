package input

import (
	"testing"

	"example.com/iprof/process"
)

// TestVerdictKey goes from the live screen to the slow frame. The replay has a spike in streaming in frame 45.
func TestVerdictKey(t *testing.T) {
	c := newTest(t)
	c.strike('D', 0)
	var r process.Report
	c.session.AppendReport(&r)
	if name := r.Records[r.Cursor].Name; name != "streaming" || r.Frame.Index != 45 || !r.Frame.Paused {
		t.Errorf("got row %q of frame %d, paused %v; want streaming, 45, paused", name, r.Frame.Index, r.Frame.Paused)
	}
	c.strike(KeyRight, 0)
	c.strike('D', 0)
	if got := c.session.Info().Index; got != 46 {
		t.Errorf("at an ordinary frame: got frame %d; want it to stay 46", got)
	}
}
