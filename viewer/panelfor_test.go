package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

func TestPanelForIsOnePerSession(t *testing.T) {
	a, b := process.NewSession(), process.NewSession()
	p := viewer.PanelFor(a)
	if p != viewer.PanelFor(a) || p == viewer.PanelFor(b) || p.Session() != a {
		t.Error("PanelFor: got another panel for the same session, or the same for another")
	}
	if o := p.Options(); o.Mode != viewer.PanelOff || o.Focused || o.Precision != 2 {
		t.Errorf("new panel: got mode %v, focused %v, precision %d; want off, not focused, 2", o.Mode, o.Focused,
			o.Precision)
	}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	var l draw.List
	if p.Draw(&l, 640, 360, 1); l.Quads() < 50 {
		t.Errorf("session without frames: got %d quads; want a picture that says what to do", l.Quads())
	}
}
