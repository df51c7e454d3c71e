package viewer_test

import (
	"math"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

func TestSpread(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		q      float64
		values []float32
		want   float32
		frames int
		bin    int
	}{
		{0.5, []float32{3, 1, 2}, 2, 3, 24},
		{0.9, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 9, 10, 47},
		{0.99, []float32{0, nan, 5, 7}, 7, 2, 47},
		{0.5, []float32{4, 4, 4}, 4, 3, 0},
		{0.5, []float32{0, nan}, 0, 0, 0},
	} {
		if got, frames, bin := viewer.Spread(c.q, c.values...); got != c.want || frames != c.frames || bin != c.bin {
			t.Errorf("quantile %v of %v: got %v of %d frames, last in bar %d; want %v, %d, %d", c.q, c.values, got,
				frames, bin, c.want, c.frames, c.bin)
		}
	}
}

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
