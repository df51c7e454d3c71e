//go:build !iprof_off

package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// In a comparison the zones whose own time has changed have their colours, and so has the zone of the cursor. The
// others are grey, and the baseline is a band with the width of its noise.
func TestAComparisonShowsTheChangeInColour(t *testing.T) {
	s := writeWorld(t, game, gameWorkers, 4)
	p := openWorld(s)
	s.View().SetReportMode(report.ReportCallTree)
	s.View().SetLens(report.Lens{Kind: report.LensRange, From: 270, To: 329})
	settled(t, p, 1280, 720, 1)
	before := viewer.ZoneColors(p)
	p.Run("baseline")
	s.View().SetLens(report.Lens{})
	s.View().ShowFrame(331) // in which one zone took 22 ms longer
	s.View().MoveCursor(-99)
	m := paint(t, p, 1280, 720, 1)
	cursor, colored := s.View().Get().Cursor, map[string]bool{}
	for i := range game {
		zone := report.ZoneID(i + 1)
		if game[i].idle || zone == viewer.Report(p).Records[cursor].Zone {
			continue
		}
		palette := draw.PaletteOf(draw.ThemeDark)
		switch got := viewer.ColorOf(p, zone); got {
		case before[game[i].name]:
			colored[game[i].name] = true
		case draw.Mix(palette.Grey, palette.Surface, 0.35):
		default:
			t.Errorf("%s: got %v; want %v or grey", game[i].name, got, before[game[i].name])
		}
	}
	if slow := game[8].name; !colored[slow] || len(colored) > 3 {
		t.Errorf("got colours for %v; want %s and few others", colored, slow)
	}
	golden.Picture(t, "compare-ranges.png", m)
	p.Run("compare")
	settled(t, p, 1280, 720, 1)
	for i := range game {
		got, own := viewer.ColorOf(p, report.ZoneID(i+1)), before[game[i].name]
		if !game[i].idle && got != own && got != zonecolor.Calm(own) {
			t.Errorf("%s: got %v without a comparison; want %v, or calm", game[i].name, got, own)
		}
	}
}
