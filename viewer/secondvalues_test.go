package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Steady drawing of a session's counts and levels allocates nothing.
func TestValueStripDoesNotAllocate(t *testing.T) {
	s := process.NewSession()
	for i := range 50 {
		from := platform.Ticks(16*i + 1)
		f := &gather.Frame{Index: uint64(i), Begin: from, End: from + 16, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: from, End: from + 16,
				Nodes: []gather.Node{{Parent: -1, Self: 16}}}},
			Counters: []gather.CounterInfo{{Name: "shots"}, {Name: "entities", Level: true}},
			Values:   []gather.CounterValue{{Counter: 0, Value: float64(i % 7)}, {Counter: 1, Value: float64(i)}}}
		must.Do(t, s.WriteFrame(f))
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Change(func(o *viewer.Options) { o.Second = viewer.SecondValues })
	var l draw.List
	step := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	for range 5 {
		step()
	}
	if got := allocstest.PerRun(10, step); got != 0 {
		t.Errorf("got %v allocations a frame; want 0", got)
	}
}
