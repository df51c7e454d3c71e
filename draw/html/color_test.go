package html_test

import (
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The page's zones have the colours that the window assigns to the tree that it shows.
func TestColorsAreThoseOfTheWindow(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured: built with iprof_off")
	}
	s := process.NewSession()
	w := must.Get(workload.New("game", workload.Options{Seed: 3, Width: 64, Height: 48, Session: s}))(t)
	defer w.Close()
	for range 8 {
		must.Do(t, w.Step(time.Second/60))
		if !w.Replays() {
			s.Update()
		}
	}
	d := s.Dump(report.DumpOptions{})
	var window zonecolor.Colors
	window.Learn(&zonecolor.Run{Zones: d.Zones, Tree: s.View().AppendTree(nil, s.View().Get()), Series: d.Series})
	page, same := html.ColorsOf(d), 0
	for i := range d.Zones {
		z := &d.Zones[i]
		c, ok := window.Of(0, report.ZoneID(i))
		switch {
		case z.Idle:
			c, ok = draw.PaletteOf(draw.ThemeDark).Grey, true
		case zonecolor.IsGiven(z.Name):
			c, ok = draw.ZoneColor(z.Package(), z.Name), true
		}
		if !ok {
			continue
		}
		same++
		if page[i] != c {
			t.Errorf("%q: got %v in the page; want %v, as in the window", z.Name, page[i], c)
		}
	}
	if same < 8 {
		t.Errorf("got only %d zones with colours; want at least 8", same)
	}
}
