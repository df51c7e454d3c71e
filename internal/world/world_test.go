package world

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

func TestFramesAddUp(t *testing.T) {
	r := NewGame(9, process.NewSession())
	for range Period {
		must.Do(t, r.Step())
		for _, lane := range r.Next.Lanes {
			checkLane(t, &r.Next, lane)
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
		t.Fatalf("frame %d, lane %s: got %d ticks from %d to %d; want the frame's %d to %d",
			f.Index, lane.Name, sum, lane.Begin, lane.End, f.Begin, f.End)
	}
}

func TestSpikesStandOut(t *testing.T) {
	r := NewGame(9, process.NewSession())
	for i := range uint64(Period) {
		r.Step()
		ms := float64(r.Next.End-r.Next.Begin) / 1e6
		if Spike(i) == "" && ms > 17.5 {
			t.Errorf("frame %d: got %.2f ms; want an ordinary frame, below 17.5", i, ms)
		}
		if i == 45 && ms < 30 {
			t.Errorf("frame 45: got %.2f ms; want the great spike, above 30", ms)
		}
	}
}

func TestEqualSeedsMakeEqualFrames(t *testing.T) {
	one, two := NewGame(1, process.NewSession()), NewGame(1, process.NewSession())
	other := NewGame(2, process.NewSession())
	for range 30 {
		one.Step()
		two.Step()
		other.Step()
	}
	if one.Next.End != two.Next.End || one.Next.End == other.Next.End {
		t.Errorf("ends: got %d, %d and of another seed %d; want the first two equal",
			one.Next.End, two.Next.End, other.Next.End)
	}
}
