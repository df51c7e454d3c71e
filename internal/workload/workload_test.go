package workload

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// picture runs a workload for some steps and returns what it then shows.
func picture(t *testing.T, name string, seed uint64, steps int) []byte {
	t.Helper()
	w, err := New(name, Options{Seed: seed, Width: 96, Height: 64})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for range steps {
		if err := w.Step(time.Second / 60); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.Clone(w.Picture().Pix)
}

func TestEqualSeedsDoEqualWork(t *testing.T) {
	for _, name := range []string{"sphereflake", "game", "goroutines"} {
		one := picture(t, name, 1, 12)
		if !bytes.Equal(one, picture(t, name, 1, 12)) {
			t.Errorf("%s: got two pictures from one seed; want the same", name)
		}
		if bytes.Equal(one, picture(t, name, 2, 12)) {
			t.Errorf("%s: got the same picture from two seeds; want two", name)
		}
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	_, err := New("nonsense", Options{})
	if err == nil || !strings.Contains(err.Error(), "sphereflake, game, goroutines, replay") {
		t.Errorf("got %v; want an error that lists the workloads", err)
	}
}

func TestPipelineDrawsWhatOneGoroutineWould(t *testing.T) {
	p := newPipeline(Options{Seed: 1, Width: 100, Height: 70})
	defer p.Close()
	p.Step(time.Second / 60)
	got := append([]float32(nil), p.levels...)
	clear(p.levels)
	for y := range 70 {
		p.row(tile{p.image.Rect, edge(p.angle)}, y)
	}
	for i := range got {
		if got[i] != p.levels[i] {
			t.Fatalf("pixel %d: got %g; want %g", i, got[i], p.levels[i])
		}
	}
}

func TestPipelineClosesTwice(t *testing.T) {
	p := newPipeline(Options{})
	p.Close()
	p.Close()
}

func TestReplayFramesAddUp(t *testing.T) {
	r := newReplay(Options{Seed: 9, Session: process.NewSession()})
	for range replayPeriod {
		if err := r.Step(0); err != nil {
			t.Fatal(err)
		}
		for _, lane := range r.frame.Lanes {
			checkLane(t, &r.frame, lane)
		}
	}
}

func checkLane(t *testing.T, f *gather.Frame, lane gather.LaneFrame) {
	t.Helper()
	sum := platform.Ticks(0)
	for i, n := range lane.Nodes {
		sum += n.Self
		if n.Self < 0 || int(n.Parent) >= i || (n.Parent < 0) != (i == 0) || int(n.Zone) >= len(f.Zones) {
			t.Fatalf("frame %d, lane %s, node %d: got %+v; want time and an earlier parent", f.Index, lane.Name, i, n)
		}
	}
	if lane.Begin != f.Begin || lane.End != f.End || sum != f.End-f.Begin {
		t.Fatalf("frame %d, lane %s: got %d ticks from %d to %d; want the frame's %d to %d", f.Index, lane.Name, sum, lane.Begin, lane.End, f.Begin, f.End)
	}
}

func TestReplaySpikesStandOut(t *testing.T) {
	r := newReplay(Options{Seed: 9, Session: process.NewSession()})
	for i := range uint64(replayPeriod) {
		r.Step(0)
		ms := float64(r.frame.End-r.frame.Begin) / replayRate * 1000
		if Spike(i) == "" && ms > 17.5 {
			t.Errorf("frame %d: got %.2f ms; want an ordinary frame, below 17.5", i, ms)
		}
		if i == 45 && ms < 30 {
			t.Errorf("frame 45: got %.2f ms; want the great spike, above 30", ms)
		}
	}
}

func TestReplayDependsOnSeedAndFrameAlone(t *testing.T) {
	one, two := newReplay(Options{Seed: 1, Session: process.NewSession()}), newReplay(Options{Seed: 1, Session: process.NewSession()})
	other := newReplay(Options{Seed: 2, Session: process.NewSession()})
	for range 30 {
		one.Step(0)
		two.Step(time.Hour)
		other.Step(0)
	}
	if one.frame.End != two.frame.End || one.frame.End == other.frame.End {
		t.Errorf("ends: got %d, %d and of another seed %d; want the first two equal", one.frame.End, two.frame.End, other.frame.End)
	}
}
