//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/platform"
)

var gpuShadow, gpuBlur = Zone{Name: "GPU shadow"}, Zone{Name: "GPU blur"}

func TestForeignScopesAreInTheFrameThatIssuedThem(t *testing.T) {
	clock := useFakeClock(t)
	var first, second Frame
	Collect(&first)
	before := droppedSoFar()
	gpu := NewForeignLane("GPU", 2000) // two of its ticks are one of ours
	gpu.Calibrate(5000, 0)
	issued := platform.Now() + 1
	gpu.Wait(issued)
	clock.advance(100)
	Collect(&first)
	if Complete(&first, false) {
		t.Fatal("got a complete frame; want it to wait for its scopes")
	}
	clock.advance(100)
	Collect(&second)
	gpu.Add([]ForeignScope{{&gpuShadow, 5040, 5160, 0, issued}, {&gpuBlur, 5050, 5090, 1, issued},
		{&gpuBlur, 5200, 5210, 0, issued + 100}})
	gpu.Wait(0)
	if !Complete(&first, false) || !Complete(&second, false) {
		t.Fatal("got an incomplete frame; want all complete")
	}
	got := rows(t, &first, laneNamed(&first, "GPU"))
	want(t, got, "GPU shadow", 40, 1, false)
	want(t, got, "GPU shadow/GPU blur", 20, 1, false)
	want(t, got, "", 40, 0, false)
	want(t, rows(t, &second, laneNamed(&second, "GPU")), "GPU blur", 5, 1, false)
	if d := droppedSoFar(); !laneNamed(&first, "GPU").Device || d.Late != before.Late || d.Foreign != before.Foreign {
		t.Errorf("got %+v; want a device lane and nothing dropped", d)
	}
}

func TestForeignScopesOfAFrameThatDidNotWaitAreLate(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	gpu := NewForeignLane("GPU", 1000)
	gpu.Calibrate(0, 0)
	issued := platform.Now() + 1
	gpu.Wait(issued)
	clock.advance(100)
	Collect(&f)
	before := droppedSoFar().Late
	if !Complete(&f, true) {
		t.Fatal("got an incomplete frame; want none with now")
	}
	gpu.Add([]ForeignScope{{&gpuShadow, 10, 30, 0, issued}})
	gpu.Wait(0)
	clock.advance(100)
	Collect(&f)
	if !Complete(&f, false) || droppedSoFar().Late != before+1 {
		t.Errorf("got %d late; want 1 more than %d", droppedSoFar().Late, before)
	}
	want(t, rows(t, &f, laneNamed(&f, "GPU")), "GPU shadow", 20, 1, false)
}

func TestForeignScopesHaveEvents(t *testing.T) {
	clock := useFakeClock(t)
	SetEvents(64)
	clock.advance(1000)
	gpu := NewForeignLane("GPU", 1000)
	gpu.Calibrate(0, 500)
	gpu.Add([]ForeignScope{{&gpuShadow, 10, 30, 0, 1}, {&gpuBlur, 12, 40, 1, 1}, {&gpuShadow, 20, 50, 0, 1}})
	got := AppendEvents(nil, gpu.ID(), 0, platform.MaxTicks)
	times := []platform.Ticks{510, 512, 530, 530, 530, 550} // the inner ends with the outer, the next begins after it
	if len(got) != len(times) {
		t.Fatalf("got %d events; want %d", len(got), len(times))
	}
	for i, e := range got {
		if e.Time != times[i] {
			t.Errorf("event %d: got time %d; want %d", i, e.Time, times[i])
		}
	}
}

func TestForeignClockDrifts(t *testing.T) {
	useFakeClock(t)
	gpu := NewForeignLane("GPU", 1000)
	gpu.Calibrate(0, 0)
	gpu.Calibrate(1_001_000, 1_000_000)
	if got := gpu.Drift(); got < 0.000999 || got > 0.001001 {
		t.Errorf("got a drift of %g; want 0.001", got)
	}
	gpu.Add([]ForeignScope{{&gpuShadow, 1_001_010, 1_001_020, 0, 1}})
	var f Frame
	f.End = 10
	if Complete(&f, true); laneNamed(&f, "GPU") == nil || laneNamed(&f, "GPU").Nodes[1].Self != 10 ||
		laneNamed(&f, "GPU").Drift != gpu.Drift() {
		t.Errorf("got %+v; want a scope of 10 ticks", f.Lanes)
	}
	gpu.Close()
	var none *ForeignLane
	none.Calibrate(0, 0)
	none.Add(nil)
	none.Close()
	if none.ID() != 0 || none.Drift() != 0 || NewForeignLane("x", 0) != nil {
		t.Error("got a lane without a rate, or a number of a nil lane; want neither")
	}
}

// A lane whose clock is not calibrated yet cannot place its scopes. They are counted.
func TestForeignScopesBeforeTheFirstCalibrationAreDropped(t *testing.T) {
	useFakeClock(t)
	before := droppedSoFar().Foreign
	gpu := NewForeignLane("GPU", 1000)
	gpu.Add([]ForeignScope{{&gpuShadow, 10, 30, 0, 1}, {&gpuBlur, 12, 20, 1, 1}})
	if got := droppedSoFar().Foreign - before; got != 2 {
		t.Errorf("got %d scopes dropped; want 2", got)
	}
	gpu.Calibrate(0, 0)
	gpu.Add([]ForeignScope{{&gpuShadow, 40, 60, 0, 1}})
	if got := droppedSoFar().Foreign - before; got != 2 {
		t.Errorf("calibrated: got %d scopes dropped; want the 2 from before", got)
	}
}
