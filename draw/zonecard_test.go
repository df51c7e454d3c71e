package draw_test

import (
	"math"
	"testing"

	"example.com/iprof/draw"
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
		if got, frames, bin := draw.Spread(c.q, c.values...); got != c.want || frames != c.frames || bin != c.bin {
			t.Errorf("quantile %v of %v: got %v of %d frames, last in bar %d; want %v, %d, %d", c.q, c.values, got, frames, bin, c.want, c.frames, c.bin)
		}
	}
}

func TestCardShowsTheCursorsZone(t *testing.T) {
	d := newDemo()
	d.view.Cursor = 7 // physics_solve
	p := panelOf(d, draw.Full)
	asked := 0
	p.SetSource(func(file string, line int) []string {
		asked++
		if want := 12 + d.find("physics_solve"); file != "/game/engine/physics.go" || line != want {
			t.Errorf("source asked for: got %s:%d; want line %d of physics.go", file, line, want)
		}
		return nil
	})
	p.ToggleCard()
	laidOut(p, 1280, 720)
	laidOut(p, 1280, 720)
	if asked != 1 {
		t.Errorf("source: got it asked %d times; want once for a zone", asked)
	}
	ccd := int32(d.find("ccd"))
	if _, ok := scan(p, 1280, 720)[draw.Hit{Kind: draw.HitZone, Zone: ccd, Path: ccd}]; !ok {
		t.Error("callee on the card: got nothing; want it hit")
	}
}
