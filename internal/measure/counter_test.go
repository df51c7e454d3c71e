//go:build !iprof_off

package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure/internal/counters"
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// valuesOf returns a frame's counts and levels by name; levels have a "=" before theirs.
func valuesOf(f *Frame) map[string]float64 {
	got := make(map[string]float64)
	for _, v := range f.Values {
		name := f.Counters[v.Counter].Name
		if f.Counters[v.Counter].Level {
			name = "=" + name
		}
		got[name] = v.Value
	}
	return got
}

func wantValues(t *testing.T, f *Frame, want map[string]float64) {
	t.Helper()
	got := valuesOf(f)
	if len(got) != len(want) {
		t.Errorf("got %v; want %v", got, want)
		return
	}
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%q: got %v; want %v", name, got[name], v)
		}
	}
}

// fresh returns a copy of a text at an address of its own.
func fresh(name string) string { return strings.Clone(name) }

func TestCountsStartAnewAndLevelsStay(t *testing.T) {
	c := useFakeClock(t)
	var f Frame
	Collect(&f)
	Count("shots")
	CountN(fresh("shots"), 3)
	CountN("", -2)
	Value("entities", 7)
	c.advance(1)
	Value("shots", 0.5) // a name of its own
	Value("entities", math.NaN())
	Value("entities", math.Inf(1))
	Peek(&f)
	wantValues(t, &f, map[string]float64{"shots": 4, "": -2, "=entities": 7, "=shots": 0.5})
	Collect(&f)
	wantValues(t, &f, map[string]float64{"shots": 4, "": -2, "=entities": 7, "=shots": 0.5})
	c.advance(1)
	Value("entities", 8)
	SetRecording(false)
	Count("shots")
	Value("entities", 9)
	SetRecording(true)
	Collect(&f)
	wantValues(t, &f, map[string]float64{"=entities": 8, "=shots": 0.5})
}

func TestLatestLevelOfSeveralGoroutinesWins(t *testing.T) {
	c := useFakeClock(t)
	var f Frame
	elsewhere := func(v float64) {
		done := make(chan bool)
		go func() { Value("queue", v); done <- true }()
		<-done
		c.advance(1)
	}
	c.advance(1)
	elsewhere(1)
	Value("queue", 2)
	c.advance(1)
	Collect(&f)
	wantValues(t, &f, map[string]float64{"=queue": 2})
	elsewhere(3)
	Collect(&f)
	wantValues(t, &f, map[string]float64{"=queue": 3})
}

// Goroutines that come and go count names of fixed and of passing addresses; the sums of all frames are what a map
// says.
func TestCountsAgreeWithAMap(t *testing.T) {
	useRealClock(t)
	SetLimits(Limits{Lanes: 6}) // some goroutines have no lane
	names := []string{"a", "b", "", strings.Repeat("long ", 300), "ü\x00\xff<script>"}
	var mu sync.Mutex
	want, got := map[string]float64{}, map[string]float64{}
	var f Frame
	take := func() {
		Collect(&f)
		for name, v := range valuesOf(&f) {
			got[name] += v
		}
	}
	take()
	clear(got)
	for round := range 20 {
		var all sync.WaitGroup
		for g := range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				rng := rand.New(rand.NewPCG(uint64(round), uint64(g)))
				sums := map[string]float64{}
				for range 300 {
					name, n := names[rng.IntN(len(names))], rng.IntN(9)-3
					if sums[name] += float64(n); rng.IntN(3) == 0 {
						name = fresh(name)
					}
					CountN(name, n)
				}
				mu.Lock()
				defer mu.Unlock()
				for name, n := range sums {
					want[name] += n
				}
			}()
		}
		take()
		all.Wait()
	}
	take()
	for name, n := range want {
		if len(name) > 1024 {
			name = name[:1024-len("…")] + "…"
		}
		if got[name] != n {
			t.Errorf("%.20q: got %v; want %v", name, got[name], n)
		}
	}
}

func TestNamesBeyondTheLimitAreCounted(t *testing.T) {
	useRealClock(t)
	room := counterTable.Len() + 2
	SetLimits(Limits{Counters: room})
	defer SetLimits(Limits{})
	var f Frame
	Collect(&f)
	before := f.Dropped.Counters
	for i := range 5 {
		Count(fmt.Sprint("beyond ", room, i)) // other names where the test is repeated
	}
	Collect(&f)
	got := len(f.Counters)
	dropped := f.Dropped.Counters - before
	if got != room || dropped != 3 {
		t.Errorf("got %d names, %d dropped; want %d and 3", got, dropped, room)
	}
}

// Names whose text lies elsewhere each time take no memory without end, and none is lost.
func TestPassingNamesAreBounded(t *testing.T) {
	useRealClock(t)
	for range 3 * counters.Most {
		name := fresh("passing")
		for range sites.Entries {
			Count(name)
		}
	}
	var f Frame
	Collect(&f)
	if got := valuesOf(&f)["passing"]; got != 3*counters.Most*sites.Entries {
		t.Errorf("got %v; want %d", got, 3*counters.Most*sites.Entries)
	}
	if got := laneFor(true).counters.Len(); got > counters.Most {
		t.Errorf("got %d cells; want at most %d", got, counters.Most)
	}
}

func TestAbsentGoroutinesDoNotCount(t *testing.T) {
	useRealClock(t)
	SetAutoRegister(false)
	defer SetAutoRegister(true)
	done := make(chan bool)
	go func() { Count("absent"); Value("absent", 1); done <- true }()
	<-done
	var f Frame
	Collect(&f)
	wantValues(t, &f, nil)
}

// A goroutine that only counts is in use, like one that enters zones.
func TestCountingLanesAreNotGivenUp(t *testing.T) {
	c := useFakeClock(t)
	defer func(frames int32, seconds float64) { idleFrames, idleSeconds = frames, seconds }(idleFrames, idleSeconds)
	idleFrames, idleSeconds = 2, 0.001
	step, done := make(chan bool), make(chan LaneID)
	go func() {
		for range step {
			Count("only")
			done <- laneFor(false).ID()
		}
	}()
	var f Frame
	first := LaneID(0)
	for i := range 20 {
		step <- true
		if id := <-done; i == 0 {
			first = id
		} else if id != first {
			t.Fatalf("frame %d: got lane %d; want %d still", i, id, first)
		}
		c.advance(10)
		Collect(&f)
	}
	close(step)
}

func TestCountingDoesNotAllocate(t *testing.T) {
	useRealClock(t)
	var f Frame
	body := func() {
		Count("fixed")
		CountN("fixed", 2)
		Value("fixed", 3)
		Alloc(4)
		Free(4)
		Units(5)
	}
	for range 3 {
		body()
		Collect(&f)
	}
	if got := allocstest.PerRun(100, func() { body(); Collect(&f); Peek(&f) }); got != 0 && platform.Assembly {
		t.Errorf("got %v allocations; want 0", got)
	}
}

// BenchmarkCharge measures Alloc in each mode.
func BenchmarkCharge(b *testing.B) {
	useRealClock(b)
	defer SetMemoryMode(MemoryHeapPerFrame)
	for _, m := range []MemoryMode{MemoryOff, MemoryHeapPerFrame} {
		b.Run("mode="+m.String(), func(b *testing.B) {
			SetMemoryMode(m)
			b.ReportAllocs()
			Alloc(1)
			for b.Loop() {
				Alloc(1)
			}
		})
	}
}

func TestCountsDoNotWrapAround(t *testing.T) {
	useRealClock(t)
	var f Frame
	for range 3 {
		CountN("many", math.MaxInt)
		CountN("few", -math.MaxInt)
	}
	Collect(&f)
	most := min(3*float64(math.MaxInt), math.MaxInt64)
	wantValues(t, &f, map[string]float64{"many": most, "few": -most})
}
