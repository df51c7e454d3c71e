package replay

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

func TestFramesAddUp(t *testing.T) {
	r := New(9, process.NewSession())
	for range Period {
		must.Do(t, r.Step())
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
		t.Fatalf("frame %d, lane %s: got %d ticks from %d to %d; want the frame's %d to %d",
			f.Index, lane.Name, sum, lane.Begin, lane.End, f.Begin, f.End)
	}
}

func TestSpikesStandOut(t *testing.T) {
	r := New(9, process.NewSession())
	for i := range uint64(Period) {
		r.Step()
		ms := float64(r.frame.End-r.frame.Begin) / rate * 1000
		if Spike(i) == "" && ms > 17.5 {
			t.Errorf("frame %d: got %.2f ms; want an ordinary frame, below 17.5", i, ms)
		}
		if i == 45 && ms < 30 {
			t.Errorf("frame 45: got %.2f ms; want the great spike, above 30", ms)
		}
	}
}

func TestEqualSeedsMakeEqualFrames(t *testing.T) {
	one, two := New(1, process.NewSession()), New(1, process.NewSession())
	other := New(2, process.NewSession())
	for range 30 {
		one.Step()
		two.Step()
		other.Step()
	}
	if one.frame.End != two.frame.End || one.frame.End == other.frame.End {
		t.Errorf("ends: got %d, %d and of another seed %d; want the first two equal",
			one.frame.End, two.frame.End, other.frame.End)
	}
}
