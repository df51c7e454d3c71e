package draw_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// Drawing counts and levels of a session takes no memory once it has what it needs.
func TestValueStripDoesNotAllocate(t *testing.T) {
	s := process.NewSession()
	for i := range 50 {
		from := platform.Ticks(16*i + 1)
		f := &gather.Frame{Index: uint64(i), Begin: from, End: from + 16, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes:    []gather.LaneFrame{{ID: 1, Updater: true, Begin: from, End: from + 16, Nodes: []gather.Node{{Parent: -1, Self: 16}}}},
			Counters: []gather.CounterInfo{{Name: "shots"}, {Name: "entities", Level: true}},
			Values:   []gather.CounterValue{{Counter: 0, Value: float64(i % 7)}, {Counter: 1, Value: float64(i)}}}
		if err := s.WriteFrame(f); err != nil {
			t.Fatal(err)
		}
	}
	p := draw.PanelFor(s)
	p.SetMode(draw.Full)
	p.SetSecond(draw.SecondValues)
	var l draw.List
	step := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	for range 5 {
		step()
	}
	if got := testing.AllocsPerRun(10, step); got != 0 {
		t.Errorf("got %v allocations a frame; want 0", got)
	}
}
