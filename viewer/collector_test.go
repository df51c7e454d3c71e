package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// collected is a session of frames of 16 ms, in some of which the collector worked.
func collected(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	for i := range 120 {
		begin := platform.Ticks(i) * 16
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 16, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}, {Name: "render"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 16,
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 4}, {ID: 2, Zone: 1, Count: 1, Self: 5},
					{ID: 3, Zone: 2, Count: 1, Self: 7}}}}}
		switch i % 40 {
		case 20, 21, 22:
			f.States = append(f.States, gather.LaneState{Kind: gather.StateMarking, Begin: begin, End: begin + 16})
		case 23:
			f.Memory = gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, Cycles: 1}
			f.States = append(f.States, gather.LaneState{Kind: gather.StateMarking, Begin: begin, End: begin + 6},
				gather.LaneState{Lane: 1, Kind: gather.StateAssist, Begin: begin + 1, End: begin + 5},
				gather.LaneState{Kind: gather.StateStopped, Begin: begin + 6, End: begin + 8})
		}
		must.Do(t, s.WriteFrame(f))
	}
	s.Pause()
	s.View().SetFrame(16)
	return s
}

func TestTheHistoryShowsWhereTheCollectorWorked(t *testing.T) {
	p := onTimeline(collected(t).View(), viewer.TimelineShown, 1000, 700, 1)
	paint(t, p, 1000, 700, 1)
	want := "GC: 6 marking, 4 assist, 2 stopped"
	words := func() string {
		for x := float32(60); x < 800; x++ {
			p.SetHover(x, 200)
			if h := p.HitAt(x, 200); h.Kind == hit.Graph && h.Age == 16 {
				settled(t, p, 1000, 700, 1)
				return strings.Join(wordsOf(p, 1000, 700), "\n")
			}
		}
		t.Fatal("found no frame of age 16")
		return ""
	}
	if got := words(); !strings.Contains(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
	golden.Picture(t, "collector-tip.png", paint(t, p, 1000, 700, 1))
	p.SetHover(-1, -1)
	with := laidOut(p, 1000, 700)
	if p.Run("collector"); len(laidOut(p, 1000, 700).V) >= len(with.V) {
		t.Error("got the bands after the command that hides them")
	}
}
