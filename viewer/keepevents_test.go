package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// A slow frame of the past has its timeline, though no call switched events on. The host may forbid that, or choose
// another number; a session of another program changes nothing.
func TestAProgramKeepsEventsFromItsFirstPicture(t *testing.T) {
	defer gather.SetEvents(gather.Events())
	gather.SetEvents(0)
	p := viewer.PanelFor(process.Default())
	look := func(p *viewer.Panel) int {
		p.Draw(new(draw.List), 800, 600, 1)
		return gather.Events()
	}
	if got := look(viewer.PanelFor(process.NewSession())); got != 0 {
		t.Errorf("a session that is not the program's: got %d events; want none", got)
	}
	p.Change(func(o *viewer.Options) { o.Mode, o.NoEvents = viewer.PanelFull, true })
	if got := look(p); got != 0 {
		t.Errorf("with NoEvents: got %d events; want none", got)
	}
	p.Change(func(o *viewer.Options) { o.NoEvents = false })
	if got := look(p); got != 1<<16 {
		t.Errorf("the first picture: got %d events; want 65,536", got)
	}
	if gather.SetEvents(0); look(p) != 0 {
		t.Errorf("got events again after the host has switched them off")
	}
}
