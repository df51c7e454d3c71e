package draw_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// settled draws until nothing moves any more.
func settled(t *testing.T, p *draw.Panel, width, height, scale float32) *draw.List {
	t.Helper()
	for range 200 {
		var l draw.List
		if p.Draw(&l, width, height, scale); !p.Settling() {
			return &l
		}
	}
	t.Fatalf("%vx%v: not settled after 200 draws", width, height)
	return nil
}

func TestAfterAnyResizeThePictureIsAFreshOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	open := func(d *demo, m draw.PanelMode) *draw.Panel {
		p := panelOf(d, m)
		ranged(d, p)
		p.ToggleCard()
		p.SetSecond(draw.SecondMemory)
		p.ToggleGrouped()
		return p
	}
	for _, m := range []draw.PanelMode{draw.Full, draw.ReportAndGraph, draw.HUD} {
		d := newDemo()
		p := open(d, m)
		for range 20 {
			width, height := float32(300+r.IntN(1600)), float32(200+r.IntN(900))
			scale := float32(1 + r.IntN(4))
			if scale > 2 {
				scale = 1
			}
			got := settled(t, p, width, height, scale)
			want := settled(t, open(newDemo(), m), width, height, scale)
			if !slices.Equal(got.V, want.V) || got.Atlas != want.Atlas {
				t.Errorf("mode %v at %vx%v, scale %v: got %d quads, other than a fresh panel's %d", m, width, height, scale, got.Quads(), want.Quads())
			}
		}
	}
}

// The same data drawn again is the same picture, and takes no look at the session.
func TestAnUnchangedPictureIsNotLaidOutAgain(t *testing.T) {
	f := &still{demo: newDemo()}
	f.paused, f.view.Age = true, 93
	p := draw.NewPanel(f)
	p.SetMode(draw.Full)
	settled(t, p, 1280, 720, 1)
	first := settled(t, p, 1280, 720, 1)
	asked := f.asked
	again := settled(t, p, 1280, 720, 1)
	if f.asked != asked || !slices.Equal(first.V, again.V) {
		t.Errorf("again: asked %d times more, equal %v; want no question and an equal picture", f.asked-asked, slices.Equal(first.V, again.V))
	}
	p.SetHover(1150, 120)
	if lit := settled(t, p, 1280, 720, 1); f.asked == asked || slices.Equal(first.V, lit.V) {
		t.Error("with the mouse over a name: got the old picture; want it lit")
	}
	asked = f.asked
	settled(t, p, 900, 720, 1)
	f.generation++
	if settled(t, p, 900, 720, 1); f.asked < asked+2 {
		t.Errorf("another size, other data: got %d questions; want the session asked each time", f.asked-asked)
	}
}

// still is a demo that changes only when a test says so, and counts how often it is asked.
type still struct {
	*demo
	generation uint64
	asked      int
}

func (s *still) Generation() uint64 { return s.generation }

func (s *still) AppendTree(dst []process.TreeNode, v process.View) []process.TreeNode {
	s.asked++
	return s.demo.AppendTree(dst, v)
}
