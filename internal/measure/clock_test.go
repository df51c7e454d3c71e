//go:build !iprof_off

package measure

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/platform"
)

// TestClockJumpIsNoReaderThatWaits has the reader wait between reading the frame's end and comparing the clocks.
func TestClockJumpIsNoReaderThatWaits(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	if !platform.Direct() || !platform.Assembly {
		t.Skip("the clock is the system's own")
	}
	l := laneFor(true)
	l.mu.Lock()
	done := make(chan bool)
	go func() {
		defer close(done)
		Collect(&f)
	}()
	time.Sleep(1200 * time.Millisecond)
	l.mu.Unlock()
	<-done
	Collect(&f)
	if f.Misuse.ClockJump != 0 {
		t.Errorf("clock jumps: got %d; want 0", f.Misuse.ClockJump)
	}
}

// TestClockReplacedWhileZonesAreOpen replaces the clock over and over while goroutines enter zones and a reader ends
// frames. The clocks are far from each other. No lane may last longer than the test.
func TestClockReplacedWhileZonesAreOpen(t *testing.T) {
	useRealClock(t)
	defer forget()
	var stop atomic.Bool
	done := make(chan bool)
	const goroutines = 4
	for range goroutines {
		go func() {
			lane := Register("replaced")
			for !stop.Load() {
				a := zoneA.Begin()
				b := zoneB.In(lane)
				named("c").End()
				Units(1)
				b.End()
				zoneC.Begin().End()
				a.End()
				runtime.Gosched()
			}
			lane.Close()
			done <- true
		}()
	}
	start := time.Now()
	go replaceClocks(start, &stop, done)
	var f Frame
	bad := 0
	for time.Since(start) < time.Second {
		Collect(&f)
		bad += badTimes(&f, time.Since(start).Seconds()+1)
	}
	stop.Store(true)
	for range goroutines + 1 {
		<-done
	}
	if bad > 0 {
		t.Errorf("times that cannot be: got %d; want 0", bad)
	}
}

// replaceClocks replaces the clock every few milliseconds: by ones that begin at 0, and far on, and by the machine's.
func replaceClocks(start time.Time, stop *atomic.Bool, done chan<- bool) {
	for i := 0; !stop.Load(); i++ {
		from := [...]int64{0, 1 << 60, 1 << 40}[i%3]
		if i%4 == 3 {
			platform.SetClock(nil, 0)
		} else {
			platform.SetClock(func() int64 { return from + int64(time.Since(start)) }, 1e9)
		}
		time.Sleep(time.Millisecond)
	}
	done <- true
}

// badTimes counts times below 0 and those above so many seconds.
func badTimes(f *Frame, seconds float64) (bad int) {
	is := func(t platform.Ticks) {
		if t < 0 || float64(t) > seconds*f.TicksPerSecond {
			bad++
		}
	}
	is(f.End - f.Begin)
	for i := range f.Lanes {
		is(f.Lanes[i].End - f.Lanes[i].Begin)
		for _, n := range f.Lanes[i].Nodes {
			is(n.Self)
		}
	}
	return bad
}

// TestEndAfterTheClockWasReplaced ends zones that were begun on another clock: each is a mistake, and closes nothing.
func TestEndAfterTheClockWasReplaced(t *testing.T) {
	for _, from := range []string{"machine", "fake"} {
		useRealClock(t)
		if from == "fake" {
			useFakeClock(t)
		}
		outer, inner := zoneA.Begin(), zoneB.Begin()
		c := useFakeClock(t)
		later := zoneA.Begin()
		inner.End()
		outer.End()
		c.advance(7)
		later.End()
		var f Frame
		want(t, collect(t, &f), "a", 7, 1, false)
		if f.Misuse.ExtraEnd != 2 || f.Misuse.MissingEnd != 0 {
			t.Errorf("%s clock: got %+v; want two Ends too many", from, f.Misuse)
		}
	}
}

// TestHomeSlotsAreKeptForTheirGoroutines replaces the clock while a goroutine may be in the middle of a Begin, and will
// write to its slot. No other goroutine may get that slot; the goroutine itself gets it again.
func TestHomeSlotsAreKeptForTheirGoroutines(t *testing.T) {
	useRealClock(t)
	if !platform.Assembly || !platform.Direct() {
		t.Skip("goroutines have no home slots that others could get")
	}
	zoneA.Begin().End()
	key, _ := platform.Identity()
	home := platform.Home(key)
	if platform.HomeKey(key).Load() != key {
		t.Skip("another goroutine has the home slot")
	}
	other := key + 1
	for platform.Home(other) != home {
		other++
	}
	useRealClock(t)
	registry.mu.Lock()
	got := freeSlot(other, true)
	finding.slots.Clear()
	registry.mu.Unlock()
	if got == home {
		t.Error("another goroutine: got the home slot of the one that may write to it")
	}
	zoneA.Begin().End()
	if s := platform.Find(); s != home {
		t.Errorf("the goroutine itself: got slot %p; want %p", s, home)
	}
}

var repeated = Zone{Name: "repeated"}

// On a coarse clock, an End often reads the same time as the Begin before it. Here a frame ends while a goroutine is
// stopped inside such an End. Its reading is compared but not used yet. The frame must not count later time, because
// the End will not count it.
func TestFrameInsideAnEndThatRepeatsAReading(t *testing.T) {
	lane := Register("repeated")
	defer lane.Close()
	slot := lane.slot
	var f Frame
	repeated.Begin().End()
	collectElsewhere(&f)
	scope := repeated.Begin()
	n := lane.at()
	read := platform.Leave(slot)
	storeTicks(&n.acc, n.acc+slot.Last-read) // as if Begin had read the same time
	storeTicks(&slot.Last, read)
	time.Sleep(time.Millisecond)
	collectElsewhere(&f)
	if took := selfOf(&f, "repeated"); took != 0 {
		t.Errorf("time of a scope that began and ended in one tick: got %d ticks; want 0", took)
	}
	scope.End()
}

// collectElsewhere ends a frame on another goroutine: Collect's own lane has nothing in progress.
func collectElsewhere(f *Frame) {
	done := make(chan bool)
	go func() {
		Collect(f)
		close(done)
	}()
	<-done
}

func selfOf(f *Frame, zone string) (took platform.Ticks) {
	for _, l := range f.Lanes {
		for _, n := range l.Nodes {
			if f.Zones[n.Zone].Name == zone {
				took += n.Self
			}
		}
	}
	return took
}

// jumpingClock is a clock that goes on by up to a millisecond a reading, and now and then jumps by up to 30 days.
func jumpingClock(random *rand.Rand) func() int64 {
	const days = 30 * 24 * 3600 * 1_000_000_000
	var mu sync.Mutex
	now := int64(10 * days)
	return func() int64 {
		mu.Lock()
		defer mu.Unlock()
		if now += random.Int64N(1e6); random.IntN(20) == 0 {
			now += random.Int64N(2*days) - days
		}
		return now
	}
}

// Whatever a clock does between Begin, End and Update, the costs of a frame and of its lanes are not below 0.
func TestNoTimeIsNegativeAfterJumpsOfTheClock(t *testing.T) {
	useFakeClock(t)
	for seed := range uint64(50) {
		platform.SetClock(jumpingClock(rand.New(rand.NewPCG(seed, 1))), 1e9)
		forget()
		var f Frame
		for range 20 {
			update := zoneNone.Begin()
			var done sync.WaitGroup
			for range 3 {
				done.Go(func() {
					defer zoneA.Begin().End()
					zoneB.Begin().End()
				})
			}
			zoneA.Begin().End()
			done.Wait()
			Collect(&f)
			EndUpdate(update)
			for name, ticks := range map[string]platform.Ticks{"a scope": f.ScopeCost, "a scope inside": f.InsideCost,
				"counting": f.CountCost, "reading the heap": f.Memory.Cost} {
				if ticks < 0 {
					t.Fatalf("seed %d: cost of %s: got %d; want none below 0", seed, name, ticks)
				}
			}
			for i := range f.Lanes {
				if l := &f.Lanes[i]; l.Slow < 0 || l.ScopeCost < 0 || l.CountCost < 0 || l.End < l.Begin {
					t.Fatalf("seed %d: lane %q: got slow %d, %d a scope, %d a count, %d to %d; want nothing below 0",
						seed, l.Name, l.Slow, l.ScopeCost, l.CountCost, l.Begin, l.End)
				}
			}
		}
	}
}

// TestLeavingTheCounter goes on with Go's clock while zones are open: nothing is lost, and no time is false.
func TestLeavingTheCounter(t *testing.T) {
	useRealClock(t)
	defer useRealClock(t)
	var f Frame
	Collect(&f)
	if f.Clock.Source != ClockCounter {
		t.Skip("the clock is not the counter")
	}
	begin, rate := time.Now(), f.TicksPerSecond
	outer := zoneA.Begin()
	time.Sleep(2 * time.Millisecond)
	registry.mu.Lock()
	reading.clock.found = platform.ClockFailed
	registry.mu.Unlock()
	first := collect(t, &f)
	between := f.End
	inner := zoneB.Begin()
	time.Sleep(2 * time.Millisecond)
	inner.End()
	outer.End()
	second := collect(t, &f)
	ms := func(r row) float64 { return float64(r.self) / rate * 1000 }
	most := float64(time.Since(begin).Microseconds()) / 1000
	if f.Clock.Source != ClockGo || f.Clock.Why == "" || f.TicksPerSecond < 0.99*rate || f.TicksPerSecond > 1.01*rate {
		t.Errorf("afterwards: got %+v at %g; want Go's clock at %g", f.Clock, f.TicksPerSecond, rate)
	}
	if f.Begin != between {
		t.Errorf("the frame afterwards: got it from %d; want %d", f.Begin, between)
	}
	for _, c := range []struct {
		name string
		got  row
		ms   float64
		is   row
	}{
		{"a before", first["a"], 2, row{count: 1, open: true}},
		{"a afterwards", second["a"], 0, row{}},
		{"b", second["a/b"], 2, row{count: 1}},
	} {
		if ms(c.got) < 0.9*c.ms || ms(c.got) > most || c.got.count != c.is.count || c.got.open != c.is.open {
			t.Errorf("%s: got %v ms, %+v; want %v to %v, %+v", c.name, ms(c.got), c.got, c.ms, most, c.is)
		}
	}
	if m := f.Misuse; m.ClockJump != 1 || m.ExtraEnd+m.MissingEnd+m.OtherLane != 0 {
		t.Errorf("misuse: got %+v; want one jump of the clock", m)
	}
	if f.ScopeCost <= 0 {
		t.Error("cost of a zone: got none; want that of the new clock")
	}
}

// TestJumpMarksItsFrame has a jump that was found in the frame.
func TestJumpMarksItsFrame(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	reading.clock.found = platform.ClockJumped
	Collect(&f)
	if f.Misuse.ClockJump != 1 || len(f.Marks) != 1 || f.Marks[0].Time != f.End {
		t.Errorf("got %d jumps and marks %+v; want one of each", f.Misuse.ClockJump, f.Marks)
	}
	if Collect(&f); f.Misuse.ClockJump != 1 || len(f.Marks) != 0 {
		t.Errorf("the next frame: got %d jumps and marks %+v; want no other", f.Misuse.ClockJump, f.Marks)
	}
}

// TestInReadsTheClockInUse stops a goroutine inside In, where the reader may come between, on a clock of the program's
// own. The slot's reading must not be the processor's counter: the reader takes it for a time.
func TestInReadsTheClockInUse(t *testing.T) {
	useFakeClock(t).advance(1000)
	lanes, done := make(chan *Lane), make(chan bool)
	go func() {
		defer close(done)
		lane := Register("in")
		defer lane.Close()
		zoneA.Hold().Keep(true)
		defer zoneA.In(lane).End()
		lanes <- lane
		lanes <- nil
		zoneB.In(lane).End()
	}()
	lane := <-lanes
	lane.mu.Lock()
	<-lanes
	stacks := make([]byte, 1<<20)
	for !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "measure.beginSlow") {
		time.Sleep(time.Millisecond)
	}
	read := loadTicks(&lane.slot.Read)
	lane.mu.Unlock()
	<-done
	if read > 2000 {
		t.Errorf("the slot's reading: got %d; want the clock's, 1000 and a few", read)
	}
}

// A muted one reads none but in a burst.
func TestAZoneReadsTheClockTwice(t *testing.T) {
	clock := useFakeClock(t)
	clock.reading = 1
	var f Frame
	lane := Register("readings")
	defer lane.Close()
	named := func() { named("by name").End() }
	for name, enter := range map[string]func(){
		"variable": func() { zoneA.Begin().End() }, "lane": func() { zoneB.In(lane).End() }, "name": named,
	} {
		enter() // makes the node
		Collect(&f)
		const entries = 1000
		before := clock.now.Load()
		for range entries {
			enter()
		}
		if got := clock.now.Load() - before; got != 2*entries {
			t.Errorf("%s: %d entries read the clock %d times; want %d", name, entries, got, 2*entries)
		}
	}
	if platform.Find() == nil {
		t.Skip("this goroutine has no home slot: there a muted entry reads the clock once")
	}
	zoneA.SetMuted(true)
	defer zoneA.SetMuted(false)
	Collect(&f)
	const entries = 100_000
	before := clock.now.Load()
	for range entries {
		zoneA.Begin().End()
	}
	if got := clock.now.Load() - before; got > entries/4 {
		t.Errorf("muted: %d entries read the clock %d times; want a few in bursts", entries, got)
	}
}
