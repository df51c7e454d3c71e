package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// slowHits returns the hits of the slow frames, by rank.
func slowHits(p *viewer.Panel) map[int]viewer.Hit {
	laidOut(p, 1280, 720)
	found := map[int]viewer.Hit{}
	for h := range scan(p, 1280, 720) {
		if h.Kind == hit.Slow {
			found[h.Index] = h
		}
	}
	return found
}

func TestSlowestFramesAreKept(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
	found := slowHits(p)
	if len(found) != 60 || found[0].Age != 204 || found[1].Age != 93 {
		t.Fatalf("slowest: got %d, the first of ages %d and %d; want 60, ages 204 and 93", len(found), found[0].Age,
			found[1].Age)
	}
	// 100 fast frames later the slowest frame has left the history, but not the strip.
	for i := range 100 {
		d.memory = append(d.memory, report.FrameSummary{Index: 18343 + uint64(i), Busy: 1, HasReport: true})
	}
	d.memory = d.memory[100:]
	if found = slowHits(p); len(found) != 60 || found[0].Age != -1 || found[1].Age != 193 {
		t.Errorf("100 frames later: got %d, ages %d and %d; want 60, ages -1 and 193", len(found), found[0].Age,
			found[1].Age)
	}
	if _, ok := viewer.FrameAt(p, viewer.Hit{Kind: hit.Slow}); ok {
		t.Error("a frame that nobody keeps: got a report; want none")
	}
	d.kept = []report.FrameSummary{{Index: d.memory[demoFrames-1].Index - 304, HasReport: true}}
	slowHits(p)
	if index, ok := viewer.FrameAt(p, viewer.Hit{Kind: hit.Slow}); !ok || index != d.kept[0].Index {
		t.Errorf("a frame that the session keeps: got %d, %v; want %d with a report", index, ok, d.kept[0].Index)
	}
	if p.Run("clear-slowest"); len(slowHits(p)) != 0 {
		t.Error("cleared: got slow frames; want none")
	}
	d.memory[demoFrames-1] = report.FrameSummary{Index: 3, Busy: 5} // a Reset: frames count from 0 again
	if found = slowHits(p); len(found) == 0 {
		t.Error("after a reset: got no slow frame; want those of the new count")
	}
}

func TestLockedScaleStays(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	settled(t, p, 640, 360, 1)
	scale := viewer.Scale(p)
	p.Run("lock-scale")
	d.memory[demoFrames-1].Busy = 400
	settled(t, p, 640, 360, 1)
	if got := viewer.Scale(p); got != scale || !p.State().ScaleLocked {
		t.Errorf("a long frame under a locked scale: got a scale to %v ms; want %v as before", got, scale)
	}
	p.Run("lock-scale")
	settled(t, p, 640, 360, 1)
	if got := viewer.Scale(p); got <= scale {
		t.Errorf("unlocked: got a scale to %v ms; want more than %v", got, scale)
	}
}

func TestLinesHaveTheirOwnScale(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	before := laidOut(p, 1280, 720).Quads()
	if p.Run("lines"); !p.State().Lines {
		t.Error("lines: got columns; want lines")
	}
	if l := laidOut(p, 1280, 720); !p.Settling() || l.Quads() == before {
		t.Error("lines: got the scale of the columns, or the same picture; want another")
	}
}

func TestMemoryStripShowsFrames(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
	laidOut(p, 1280, 720)
	ages := map[int]bool{}
	for x := float32(0); x < 1280; x += 2 {
		if h := p.HitAt(x, 300); h.Kind == hit.Graph {
			ages[h.Age] = true
		}
	}
	if len(ages) < 290 {
		t.Errorf("frames in the memory strip: got %d; want all 300", len(ages))
	}
}

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
	p.Change(func(o *viewer.Options) { o.Strip = viewer.StripValues })
	var l draw.List
	step := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	for range 5 {
		step()
	}
	if got := allocstest.PerRun(10, step); got != 0 {
		t.Errorf("got %v allocations a frame; want 0", got)
	}
}
