package platform

import (
	"fmt"
	"math"
	"testing"
)

func TestTheClockSetIsRead(t *testing.T) {
	var now int64
	before := Epoch()
	SetClock(func() int64 { return now }, 1000)
	defer SetClock(nil, 0)
	for reading, want := range map[int64]Ticks{0: 1, 5: 6, -3: 1, math.MaxInt64: MaxTicks,
		math.MaxInt64 - 1: MaxTicks} {
		t.Run(fmt.Sprint(reading), func(t *testing.T) {
			now = reading
			if got := Now(); got != want {
				t.Errorf("reading %d: got %d; want %d", reading, got, want)
			}
		})
	}
	if got := TicksPerSecond(); got != 1000 {
		t.Errorf("rate: got %v; want 1000", got)
	}
	Refine()
	if got := TicksPerSecond(); got != 1000 {
		t.Errorf("rate after Refine: got %v; want 1000", got)
	}
	if Epoch() == before || !Custom() || Jitter() != 0 {
		t.Errorf("epoch, custom, jitter: got %d, %v, %d; want another than %d, true, 0",
			Epoch(), Custom(), Jitter(), before)
	}
}

func TestSetClockTakesTheHomeSlotsAway(t *testing.T) {
	claim(t)
	SetClock(nil, 0)
	if slot, _ := Enter(); slot != nil {
		t.Error("home slot after SetClock: got one; want none")
	}
}

func TestRefineIgnoresASuspendedMachine(t *testing.T) {
	Now()
	setting.Lock()
	keepRate, keepOrigin := counterRate.Load(), origin
	defer func() { counterRate.Store(keepRate); origin = keepOrigin; setting.Unlock() }()

	origin = pair{1000, 0}
	counterRate.Store(0)
	refine(pair{3_000, 1e9})
	rate := math.Float64frombits(counterRate.Load())
	if rate != 2000 {
		t.Errorf("two readings a second apart: got %v; want 2000", rate)
	}
	refine(pair{900_000, 2e9}) // the counter ran on while the clock stood
	if got := math.Float64frombits(counterRate.Load()); got != 2000 {
		t.Errorf("after a suspend: got %v; want 2000", got)
	}
	refine(pair{902_001, 3e9})
	if got := math.Float64frombits(counterRate.Load()); got != 2001 {
		t.Errorf("measured anew: got %v; want 2001", got)
	}
	refine(pair{10, 2e9}) // both ran backwards
	if got := math.Float64frombits(counterRate.Load()); got != 2001 {
		t.Errorf("after running backwards: got %v; want 2001", got)
	}
}

func TestWrongRateIsCorrected(t *testing.T) {
	Now()
	setting.Lock()
	keepRate, keepOrigin := counterRate.Load(), origin
	defer func() { counterRate.Store(keepRate); origin = keepOrigin; setting.Unlock() }()
	counterRate.Store(math.Float64bits(5))
	origin = pair{1000, 0}
	for i := range 3 {
		refine(pair{1000 + 2000*Ticks(i+1), int64(i+1) * 1e9})
	}
	if got := math.Float64frombits(counterRate.Load()); got != 2000 {
		t.Errorf("rate after three measurements: got %v; want 2000", got)
	}
}
