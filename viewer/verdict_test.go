package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// TestTheVerdictsLineMovesNothing draws the same screen with and without a verdict, and compares the places of the
// history and the table.
func TestTheVerdictsLineMovesNothing(t *testing.T) {
	for _, size := range [][2]float32{{1280, 720}, {640, 360}} {
		d := newDemo()
		d.paused = true
		p := panelOf(d, viewer.PanelFull)
		tops := map[int][2]float32{}
		for _, age := range []int{demoSpike, demoSpike + 1} {
			d.view.Age = age
			laidOut(p, size[0], size[1])
			tops[age] = [2]float32{topOf(p, size, hit.Graph), topOf(p, size, hit.Record)}
		}
		a := tops[demoSpike]
		b := tops[demoSpike+1]
		if a != b {
			t.Errorf("%v: history and table begin at %v with a line and at %v without; want the same", size, a, b)
		}
	}
}

// topOf returns the least y with a hit of a kind.
func topOf(p *viewer.Panel, size [2]float32, kind hit.Kind) float32 {
	for y := float32(0); y < size[1]; y++ {
		if p.HitAt(size[0]*0.4, y).Kind == kind {
			return y
		}
	}
	return -1
}

func TestAClickOnTheVerdictIsItsCommand(t *testing.T) {
	d := newDemo()
	for _, c := range []struct {
		mode   viewer.PanelMode
		age    int
		x, y   float32
		w, h   float32
		wanted bool
	}{
		{viewer.PanelFull, demoSpike, 300, 61, 1280, 720, true},
		{viewer.PanelFull, 0, 300, 61, 1280, 720, false},
		{viewer.PanelReportAndGraph, demoSpike, 300, 442, 1024, 640, true},
		{viewer.PanelHUD, demoSpike, 100, 50, 700, 72, true},
	} {
		t.Run(fmt.Sprint("mode ", c.mode, ", age ", c.age), func(t *testing.T) {
			d.view.Age = c.age
			p := panelOf(d, c.mode)
			laidOut(p, c.w, c.h)
			if h := p.HitAt(c.x, c.y); (h.Kind == hit.Command && h.Name == "why") != c.wanted {
				t.Errorf("mode %v, age %d: got %+v; want the command why: %v", c.mode, c.age, h, c.wanted)
			}
		})
	}
}

// TestTheBarToBlameIsInSight zooms in on the call structure of an ordinary frame, and then goes to a slow one.
func TestTheBarToBlameIsInSight(t *testing.T) {
	s := process.NewSession()
	for r := world.NewGame(1, s); s.View().Info().Frames < 120; {
		r.Step()
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	s.Pause()
	s.View().SetFrame(0)
	settle := func() {
		for range 40 {
			laidOut(p, 1280, 720)
		}
	}
	settle()
	streaming := s.View().AppendTree(nil, report.View{Age: 9})[1]
	for range 20 {
		viewer.Zoom(p, 200, 1)
	}
	settle()
	if _, _, found := barOf(p, streaming.Path); found {
		t.Fatal("the bar is in sight before; want it out of sight")
	}
	s.View().MoveToOverBudget(-1)
	settle()
	if _, _, found := barOf(p, streaming.Path); !found {
		t.Error("got no bar of streaming in the slow frame; want it in sight")
	}
}

// barOf returns a bar of the call structure.
func barOf(p *viewer.Panel, path int32) (x, y float32, found bool) {
	for h, at := range scan(p, 1280, 720) {
		if h.Kind == hit.Icicle && h.Path == path {
			return at[0], at[1], true
		}
	}
	return 0, 0, false
}
