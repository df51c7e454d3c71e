package foreign

import (
	"fmt"
	"math"
	"testing"

	"example.com/iprof/platform"
)

func TestClockConvertsByTheLatestPoint(t *testing.T) {
	c := NewClock(0.5)
	if c.IsCalibrated() || c.Drift() != 0 {
		t.Errorf("new: got calibrated %t, drift %g; want false, 0", c.IsCalibrated(), c.Drift())
	}
	c.Calibrate(1000, 100)
	if got := c.Ours(1050); got != 125 || !c.IsCalibrated() || c.Drift() != 0 {
		t.Errorf("one point: got %d, calibrated %t, drift %g; want 125, true, 0", got, c.IsCalibrated(), c.Drift())
	}
	c.Calibrate(3002, 1100)
	if got := c.Ours(2902); got != 1050 || math.Abs(c.Drift()-0.001) > 1e-9 {
		t.Errorf("two points: got %d, drift %g; want 1050, 0.001", got, c.Drift())
	}
	if got := c.Ours(-9000); got != 0 {
		t.Errorf("before our clock began: got %d; want 0", got)
	}
}

// chain is a tree in which each node's parent is the node before.
func chain(i uint32) uint32 { return i - 1 }

// TestQueueSumsByNode adds a scope with two inside. The second ends after its parent, and the last begins before that.
func TestQueueSumsByNode(t *testing.T) {
	var q Queue
	var events string
	log := func(node uint32, t platform.Ticks, what uint64) { events += fmt.Sprint(node, "/", t, "/", what, " ") }
	add := func(level int, node uint32, begin, end, issued platform.Ticks) (around uint32) {
		around = q.CloseTo(level, log)
		q.Open(node, true, begin, end, issued, log)
		return around
	}
	around := []uint32{add(0, 1, 10, 30, 5), add(1, 2, 12, 20, 5), add(7, 3, 15, 18, 5), add(1, 2, 25, 40, 5),
		add(0, 1, 28, 50, 60)}
	if q.CloseTo(0, log); fmt.Sprint(around) != "[0 1 2 1 0]" {
		t.Errorf("scopes around: got %v; want [0 1 2 1 0]", around)
	}
	const want = "1/10/0 2/12/0 3/15/0 3/18/1 2/20/1 2/25/0 2/30/1 1/30/1 1/30/0 1/50/1 "
	if events != want {
		t.Errorf("events:\n got %s\nwant %s", events, want)
	}
	sums, work, late := q.Take(0, 50, 5, chain)
	if got := fmt.Sprint(sums[1:], work, late); got != "[{7 1 true} {10 2 true} {3 1 true} {0 0 false}] 20 0" {
		t.Errorf("first frame: got %s", got)
	}
	if sums, work, late = q.Take(61, 99, 5, chain); sums[1] != (Sum{20, 1, true}) || work != 20 || late != 1 {
		t.Errorf("second frame: got %v %d %d; want a late scope of 20", sums, work, late)
	}
	if sums, _, _ = q.Take(0, 99, 5, chain); sums != nil {
		t.Errorf("third frame: got %v; want nil", sums)
	}
}

func TestQueueIsBounded(t *testing.T) {
	var q Queue
	log := func(uint32, platform.Ticks, uint64) {}
	open := func(keep bool) bool {
		q.CloseTo(0, log)
		return q.Open(1, keep, 0, 1, 0, log)
	}
	if open(false) {
		t.Error("got a scope that was not to be kept")
	}
	for i := range MaxWaiting {
		if !open(true) {
			t.Fatalf("got %d scopes; want %d", i, MaxWaiting)
		}
	}
	if open(true) {
		t.Errorf("got more than %d scopes", MaxWaiting)
	}
	q.CloseTo(0, log)
	if q.Forget(); !open(true) {
		t.Error("after Forget: got no room; want some")
	}
}
