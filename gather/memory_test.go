//go:build !iprof_off

package gather

import (
	"math"
	"runtime"
	"runtime/metrics"
	"testing"
)

var keep []byte

func TestMemoryOfAFrame(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	const size = 1 << 20
	keep = make([]byte, size)
	runtime.GC()
	Collect(&f)
	if m := f.Memory; m.AllocBytes < size || m.AllocObjects < 1 || m.HeapLive < size || m.Cycles < 1 || m.Pause <= 0 {
		t.Errorf("got %+v; want at least %d bytes, a collection and its pause", m, size)
	}
	Collect(&f)
	if m := f.Memory; m.AllocBytes >= size || m.Cycles != 0 || m.Pause != 0 {
		t.Errorf("next frame: got %+v; want little", m)
	}
	keep = nil
}

func TestMetricsAreKnownToThisGo(t *testing.T) {
	known := map[string]metrics.ValueKind{}
	for _, d := range metrics.All() {
		known[d.Name] = d.Kind
	}
	for _, name := range memoryNames {
		if known[name] == metrics.KindBad {
			t.Errorf("metric %s: got none; want it", name)
		}
	}
}

func TestMiddleOfABucket(t *testing.T) {
	for _, c := range [][3]float64{{1, 3, 2}, {math.Inf(-1), 3, 3}, {3, math.Inf(1), 3}} {
		if got := middle(c[0], c[1]); got != c[2] {
			t.Errorf("%v..%v: got %v; want %v", c[0], c[1], got, c[2])
		}
	}
}

func TestCalibrateTellsACredibleCost(t *testing.T) {
	useRealClock(t)
	cost := Calibrate()
	var f Frame
	Collect(&f)
	seconds := float64(cost) / costFraction / f.TicksPerSecond
	if seconds <= 0 || seconds > 1e-3 || f.ScopeCost <= 0 || f.ScopeCost > cost {
		t.Errorf("got %v s, %d in the frame; want more than 0, and no more than %d", seconds, f.ScopeCost, cost)
	}
}
