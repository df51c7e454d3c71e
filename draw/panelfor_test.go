package draw_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

func TestPanelForIsOnePerSession(t *testing.T) {
	a, b := process.NewSession(), process.NewSession()
	p := draw.PanelFor(a)
	if p != draw.PanelFor(a) || p == draw.PanelFor(b) || p.Session() != a {
		t.Error("PanelFor: got another panel for the same session, or the same for another")
	}
	if p.Mode() != draw.Off || p.Focused() || p.Precision() != 2 {
		t.Errorf("new panel: got mode %v, focused %v, precision %d; want off, not focused, 2", p.Mode(), p.Focused(), p.Precision())
	}
	p.SetMode(draw.Full)
	var l draw.List
	if p.Draw(&l, 640, 360, 1); l.Quads() < 50 {
		t.Errorf("session without frames: got %d quads; want a picture that says what to do", l.Quads())
	}
}
