package viewer_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// settled draws until nothing moves, 60 times a second by the panel's clock.
func settled(t *testing.T, p *viewer.Panel, width, height, scale float32) *draw.List {
	t.Helper()
	hurried(p)
	for range 200 {
		var l draw.List
		if p.Draw(&l, width, height, scale); !p.Settling() {
			return &l
		}
	}
	t.Fatalf("%vx%v: not settled after 200 draws", width, height)
	return nil
}

// hurried gives a panel a clock by which a frame passes each time it is read.
func hurried(p *viewer.Panel) {
	if p.Options().Now == nil {
		at := time.Now()
		p.Change(func(o *viewer.Options) { o.Now = func() time.Time { at = at.Add(time.Second / 60); return at } })
	}
}

func TestAfterAnyResizeThePictureIsAFreshOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	open := func(d *demo, m viewer.PanelMode) *viewer.Panel {
		p := panelOf(d, m)
		ranged(d, p)
		p.Run("card")
		p.Change(func(o *viewer.Options) { o.Second = viewer.SecondMemory })
		p.Run("group")
		return p
	}
	for _, m := range []viewer.PanelMode{viewer.PanelFull, viewer.PanelReportAndGraph, viewer.PanelHUD} {
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
				t.Errorf("mode %v at %vx%v, scale %v: got %d quads, other than a fresh panel's %d", m, width, height,
					scale, got.Quads(), want.Quads())
			}
		}
	}
}

// The same data drawn again is the same picture. The panel does not read the session's data again.
func TestAnUnchangedPictureIsNotLaidOutAgain(t *testing.T) {
	f := &still{demo: newDemo()}
	f.paused, f.view.Age = true, 93
	p := viewer.NewPanel(f)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1280, 720, 1)
	first := settled(t, p, 1280, 720, 1)
	reads := f.reads
	again := settled(t, p, 1280, 720, 1)
	if f.reads != reads || !slices.Equal(first.V, again.V) {
		t.Errorf("again: got %d more reads, equal %v; want none and an equal picture", f.reads-reads,
			slices.Equal(first.V, again.V))
	}
	p.SetHover(1150, 120)
	if lit := settled(t, p, 1280, 720, 1); f.reads == reads || slices.Equal(first.V, lit.V) {
		t.Error("with the mouse over a name: got the old picture; want it lit")
	}
	reads = f.reads
	settled(t, p, 900, 720, 1)
	f.generation++
	if settled(t, p, 900, 720, 1); f.reads < reads+2 {
		t.Errorf("another size, other data: got %d reads; want one for each", f.reads-reads)
	}
}

// still is a demo that changes only when a test changes it. It counts the reads of its tree.
type still struct {
	*demo
	generation uint64
	reads      int
}

func (s *still) Generation() uint64 { return s.generation }

func (s *still) AppendTree(dst []report.TreeNode, v report.View) []report.TreeNode {
	s.reads++
	return s.demo.AppendTree(dst, v)
}
