package platform

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
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

func TestTheProgramsChoiceGoesFirst(t *testing.T) {
	for _, c := range []struct {
		want      string
		qualifies bool
		use       bool
		why       string
	}{
		{"", true, true, "as asked"},
		{"", false, false, "as asked"},
		{"go", true, false, "IPROF_CLOCK=go"},
		{"counter", false, hasCounter, ""},
		{"hpet\n", true, true, `as asked; IPROF_CLOCK is neither counter nor go: "hpet?"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			use, why := choose(c.want, func() (bool, string) { return c.qualifies, "as asked" })
			if use != c.use || !strings.Contains(why, c.why) {
				t.Errorf("got %v, %q; want %v, %q", use, why, c.use, c.why)
			}
		})
	}
}

func TestUseCounterChangesTheClock(t *testing.T) {
	defer SetClock(nil, 0)
	for _, on := range []bool{true, false} {
		before := Epoch()
		UseCounter(on)
		Now()
		if got := source.Load() == counter; got != (on && hasCounter) || Epoch() == before {
			t.Errorf("UseCounter(%v): got the counter %v, epoch %d after %d", on, got, Epoch(), before)
		}
	}
}

func TestRateThatIsNone(t *testing.T) {
	defer SetClock(nil, 0)
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			SetClock(func() int64 { return 1 }, rate)
			if got := TicksPerSecond(); got != 1e9 {
				t.Errorf("rate %v: got %v; want 1e9", rate, got)
			}
		})
	}
}

// TestClocksAreReadTogether has a goroutine that is preempted between the readings of the two clocks.
func TestClocksAreReadTogether(t *testing.T) {
	for _, c := range []struct {
		preemptions int
		ok          bool
	}{{0, true}, {1, true}, {readings - 1, true}, {readings, false}} {
		t.Run(fmt.Sprint(c.preemptions), func(t *testing.T) {
			now, left := int64(5000), c.preemptions
			counter := func() Ticks { return Ticks(now) }
			wall := func() int64 {
				read := now
				if left--; left >= 0 {
					now += 1000
				}
				return read
			}
			p, ok := readBoth(10, counter, wall)
			if ok != c.ok || ok && int64(p.ticks) != p.wall {
				t.Errorf("%d preemptions: got %+v, %v; want equal readings, %v", c.preemptions, p, ok, c.ok)
			}
		})
	}
}

// TestCounterIsJudgedAgainstTheMachinesClock moves both clocks in steps of a tenth of a second.
func TestCounterIsJudgedAgainstTheMachinesClock(t *testing.T) {
	const step, rate = int64(time.Second / 10), 2e9
	type part struct {
		steps int
		rate  float64 // of the counter meanwhile
		jump  Ticks   // of the counter at the beginning
		back  bool    // readings of two processors were out of order
	}
	for _, c := range []struct {
		name   string
		parts  []part
		jumps  int
		failed bool
		better float64
	}{
		{"steady", []part{{steps: 100, rate: rate}}, 0, false, 0},
		{"slewed by NTP", []part{{steps: 50, rate: rate * (1 + 5e-4)}}, 0, false, 0},
		{"suspended", []part{{10, rate, 0, false}, {50, rate, 3600e9, false}}, 1, false, 0},
		{"set back", []part{{10, rate, 0, false}, {50, rate, -1e9, false}}, 1, false, 0},
		{"moved to a quicker host", []part{{10, rate, 0, false}, {50, 1.5 * rate, 0, false}}, 1, false, 1.5 * rate},
		{"moved three times within a minute", []part{{10, rate, 0, false}, {50, 1.5 * rate, 0, false},
			{50, 1.2 * rate, 0, false}, {10, 0.8 * rate, 0, false}}, 2, true, 0.8 * rate},
		{"moved three times in two minutes", []part{{10, rate, 0, false}, {500, 1.5 * rate, 0, false},
			{500, 1.2 * rate, 0, false}, {50, 0.8 * rate, 0, false}}, 3, false, 0.8 * rate},
		{"out of order once", []part{{10, rate, 0, false}, {1, rate, 0, true}, {50, rate, 0, false}}, 1, false, 0},
		{"out of order again and again", []part{{10, rate, 0, false}, {5, rate, 0, true}}, 2, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w watch
			now, ticks, known := int64(1), 1e12, rate
			jumps, failed := 0, false
			for _, p := range c.parts {
				ticks += float64(p.jump)
				for range p.steps {
					now += step
					ticks += p.rate * 0.1
					found, better := w.judge(pair{Ticks(ticks), now}, known, p.back)
					if better != 0 {
						known = better
					}
					if found == ClockJumped {
						jumps++
					}
					failed = failed || found == ClockFailed
				}
			}
			want := c.better
			if want == 0 {
				want = rate
			}
			if jumps < c.jumps || !c.failed && jumps != c.jumps || failed != c.failed || math.Abs(known/want-1) > 1e-6 {
				t.Errorf("got %d jumps, failed %v, rate %g; want %d, %v, %g", jumps, failed, known, c.jumps, c.failed,
					want)
			}
		})
	}
}

// TestCounterThatIsWild never has the same rate twice.
func TestCounterThatIsWild(t *testing.T) {
	var w watch
	now, ticks, last := int64(1), 1e12, ClockSteady
	for i := range 30 {
		now += 1e8
		ticks += 1e8 * (1 + float64(i%7)/3)
		found, _ := w.judge(pair{Ticks(ticks), now}, 1e9, false)
		last = max(last, found)
	}
	if last != ClockFailed {
		t.Errorf("got finding %d; want %d", last, ClockFailed)
	}
}

// TestLeavingTheCounterKeepsTheTicks reads on after the change: not back, at the same rate.
func TestLeavingTheCounterKeepsTheTicks(t *testing.T) {
	SetClock(nil, 0)
	defer SetClock(nil, 0)
	rate := TicksPerSecond()
	if Chosen().Source != SourceCounter {
		t.Skip("the clock is not the counter")
	}
	epoch, before, wall := Epoch(), Now(), time.Now()
	LeaveCounter(before + Ticks(rate/1000))
	after := Now()
	if least := before + Ticks(rate/1000); after < least || Chosen().Source != SourceGo || Epoch() != epoch {
		t.Errorf("got %d from %v, epoch %d; want at least %d from Go's clock, epoch %d", after, Chosen(), Epoch(),
			least, epoch)
	}
	time.Sleep(10 * time.Millisecond)
	took, most := float64(Now()-after)/TicksPerSecond(), time.Since(wall).Seconds()
	if took < 0.0095 || took > most {
		t.Errorf("10 ms later: got %v s; want 0.01 to %v", took, most)
	}
	if got := TicksPerSecond(); math.Abs(got/rate-1) > 1e-3 {
		t.Errorf("rate: got %g; want %g", got, rate)
	}
}

// The assembly and its twin answer the same questions: whose slot this is, and where the caller's caller returns to.
func TestTwinsAgree(t *testing.T) {
	Now()
	key, id := Identity()
	for name, slot := range map[string]*Slot{"Enter": Home(key), "enterGo": Home(id)} {
		if slot.ID != 0 {
			t.Skipf("%s: the slot is another goroutine's", name)
		}
	}
	if slot, _ := enterGo(); slot != nil {
		t.Error("enterGo: got a slot that nobody claimed")
	}
	Home(id).ID = id
	slot, now := enterGo()
	Home(id).ID = 0
	if slot != Home(id) || now <= 0 {
		t.Errorf("enterGo: got %p at %d; want %p at the present time", slot, now, Home(id))
	}
	if !Direct() {
		return
	}
	if slot, _ := Enter(); slot != nil {
		t.Error("Enter: got a slot that nobody claimed")
	}
	Home(key).ID = id
	slot, now = Enter()
	Home(key).ID = 0
	if slot != Home(key) || now <= 0 {
		t.Errorf("Enter: got %p at %d; want %p at the present time", slot, now, Home(key))
	}
}

//go:noinline
func callersOfAll() (enter, find, twin uintptr) {
	_, _, enter = EnterCaller()
	_, _, find = FindCaller()
	return enter, find, callerGo(3)
}

func TestTwinsFindTheSameCaller(t *testing.T) {
	enter, find, twin := callersOfAll()
	for _, pc := range []uintptr{enter, find} {
		a := runtime.FuncForPC(pc - 1).Name()
		b := runtime.FuncForPC(twin - 1).Name()
		if a != b || pc != twin {
			t.Errorf("got %s+%#x and %s+%#x; want the same", a, pc, b, twin)
		}
	}
}

var sink Ticks

//go:noinline
func twoReadings() {
	begin := ticks()
	sink += ticks() - begin
}

// BenchmarkFloor is two readings of the clock with nothing around them: what no profiler can go below.
func BenchmarkFloor(b *testing.B) {
	Now()
	for b.Loop() {
		twoReadings()
	}
}
