package viewer_test

import (
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

func TestCardShowsTheCursorsZone(t *testing.T) {
	d := newDemo()
	d.view.Cursor = 7 // physics_solve
	p := panelOf(d, viewer.PanelFull)
	calls := 0
	p.Change(func(o *viewer.Options) {
		o.Source = func(file string, line int) []string {
			calls++
			if want := 12 + d.find("physics_solve"); file != "/game/engine/physics.go" || line != want {
				t.Errorf("Source called for %s:%d; want line %d of physics.go", file, line, want)
			}
			return nil
		}
	})
	p.Run("card")
	laidOut(p, 1280, 720)
	laidOut(p, 1280, 720)
	if calls != 1 {
		t.Errorf("Source: got %d calls; want one for each zone", calls)
	}
	ccd := process.ZoneID(d.find("ccd"))
	if _, ok := scan(p, 1280, 720)[viewer.Hit{Kind: viewer.HitZone, Zone: ccd, Path: int32(ccd)}]; !ok {
		t.Error("callee on the card: got nothing; want it hit")
	}
}
