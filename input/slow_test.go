package input

import (
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

func TestClickShowsASlowFrameThatHasLeftTheHistory(t *testing.T) {
	c := newTest(t)
	slowest := c.session.AppendSlowest(nil)[0].Index
	c.panel.Change(func(o *viewer.Options) { o.Second = viewer.SecondSlowest })
	c.session.SetHistory(2, 2)
	c.layOut()
	first := func(h viewer.Hit) bool { return h.Kind == hit.Slow && h.Index == 0 }
	x, y := c.place(t, first)
	c.tap(x, y)
	if i := c.session.View().Info(); !i.Kept || i.Index != slowest || !c.session.Paused() {
		t.Errorf("got frame %d, kept %v, paused %v; want %d from the kept ones, paused", i.Index, i.Kept,
			c.session.Paused(), slowest)
	}
	c.session.SetHistoryLimits(process.HistoryLimits{Slowest: -1})
	c.session.View().SetFrame(0)
	c.layOut()
	if c.tap(x, y); c.session.View().Info().Kept {
		t.Error("got a frame that nobody keeps")
	}
}
