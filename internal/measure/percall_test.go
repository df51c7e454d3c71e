//go:build !iprof_off

package measure

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

// perCallZone returns a zone whose calls are counted until the test ends.
func perCallZone(t *testing.T, name string) *Zone {
	z := &Zone{Name: name}
	z.SetPerCall(true)
	t.Cleanup(func() { z.SetPerCall(false) })
	return z
}

// callsOf returns what is known of the calls of the zone's only node.
func callsOf(t *testing.T, z *Zone) Calls {
	t.Helper()
	id, _ := zones.of(z)
	var found []Calls
	for _, c := range AppendCalls(nil) {
		if c.Zone == id {
			found = append(found, c)
		}
	}
	if len(found) > 1 {
		t.Fatalf("zone %q: got %d nodes; want one", z.Name, len(found))
	}
	if len(found) == 0 {
		return Calls{}
	}
	return found[0]
}

func spend(clock *fakeClock, z *Zone, ticks int64) {
	s := z.Begin()
	clock.advance(ticks)
	s.End()
}

func TestCallsAreCountedByTheirDuration(t *testing.T) {
	clock := useFakeClock(t)
	z := perCallZone(t, "counted")
	outer := zoneA.Begin()
	for _, took := range []int64{5, 9, 5, 60, 2} {
		spend(clock, z, took)
		spend(clock, &zoneB, 1000)
	}
	outer.End()
	c := callsOf(t, z)
	if c.Count != 5 || c.Sum != 81 || c.Min() != 2 || c.Max() != 60 || c.Quantile(0.5) != 5 ||
		c.Quantile(0.8) != 9 || c.Mean() != 16.2 || c.Missing != 0 || c.FromEvents {
		t.Errorf("got %+v; want 5 calls, 81 ticks from 2 to 60", c)
	}
	if math.Abs(c.Deviation()-22.0127) > 0.001 {
		t.Errorf("deviation: got %v; want 22.0127", c.Deviation())
	}
	if got := AppendCalls(nil); len(got) != 1 {
		t.Errorf("nodes: got %d; want the zone's alone", len(got))
	}
	var f Frame
	Collect(&f)
	if n := f.Lanes[0].Nodes[3]; n.ID != c.Node || n.Zone != c.Zone || f.Lanes[0].ID != c.Lane {
		t.Errorf("got node %d of lane %d; want %d of %d", c.Node, c.Lane, n.ID, f.Lanes[0].ID)
	}
	z.SetPerCall(false)
	spend(clock, z, 1)
	if got := AppendCalls(nil); len(got) != 0 || MemoryUsed().Calls != 0 || laneFor(false).slot.Log != nil {
		t.Errorf("switched off: got %v, %d bytes; want nothing", got, MemoryUsed().Calls)
	}
}

func TestCallOpenWhenCountingBeginsIsLeftOut(t *testing.T) {
	clock := useFakeClock(t)
	z := &Zone{Name: "late"}
	spend(clock, z, 3)
	s := z.Begin()
	z.SetPerCall(true)
	defer z.SetPerCall(false)
	clock.advance(7)
	s.End()
	spend(clock, z, 11)
	s = z.Begin()
	clock.advance(500)
	if c := callsOf(t, z); c.Count != 1 || c.Sum != 11 || c.Max() != 11 || c.Missing != 1 {
		t.Errorf("got %+v; want the call of 11, and the open one missing", c)
	}
	s.End()
}

func TestHistogramIsWithinItsPrecision(t *testing.T) {
	clock := useFakeClock(t)
	z := perCallZone(t, "wide")
	r := rand.New(rand.NewSource(1))
	var took []float64
	var sum, squares float64
	for range 5000 {
		d := int64(math.Exp(r.Float64() * 25))
		spend(clock, z, d)
		took, sum = append(took, float64(d)), sum+float64(d)
	}
	slices.Sort(took)
	for _, d := range took {
		squares += (d - sum/5000) * (d - sum/5000)
	}
	c := callsOf(t, z)
	check := func(what string, got, want, off float64) {
		t.Helper()
		if math.Abs(got-want) > off*want {
			t.Errorf("%s: got %v; want %v within %v", what, got, want, off)
		}
	}
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
		check("quantile", c.Quantile(q), took[int(math.Ceil(q*5000))-1], 0.008)
	}
	check("min", c.Min(), took[0], 0.008)
	check("max", c.Max(), took[4999], 0.008)
	check("mean", c.Mean(), sum/5000, 0)
	check("deviation", c.Deviation(), math.Sqrt(squares/5000), 0.008)
	var both histogram.Histogram
	both.Merge(&c.Histogram)
	both.Merge(&c.Histogram)
	if both.Count != 10_000 || both.Sum != 2*c.Sum || both.Quantile(0.9) != c.Quantile(0.9) ||
		len(both.Buckets) != len(c.Buckets) {
		t.Errorf("merged: got %d calls, %d ticks; want twice as many", both.Count, both.Sum)
	}
}

func TestCallsAreSeenInEvents(t *testing.T) {
	clock := useFakeClock(t)
	counted, z := perCallZone(t, "counted"), &Zone{Name: "seen"}
	z.Begin().End()
	SetEvents(64)
	for i := range int64(10) {
		outer := z.Begin()
		spend(clock, counted, 10*i)
		outer.End()
	}
	a, b := callsOf(t, counted), callsOf(t, z)
	if !slices.Equal(a.Buckets, b.Buckets) || a.FromEvents || !b.FromEvents || b.Count != 10 || b.Sum != 450 ||
		b.Missing != 0 {
		t.Errorf("got %+v; want what is counted: %+v", b, a)
	}
	for range 100 {
		z.Begin().End()
	}
	if b := callsOf(t, z); b.Count != (64-eventlog.InFlight)/2 || b.Missing != 110-b.Count || b.Max() != 0 {
		t.Errorf("overwritten: got %d calls, %d missing; want %d of 110", b.Count, b.Missing, (64-eventlog.InFlight)/2)
	}
	if a := callsOf(t, counted); a.Count != 10 || a.Missing != 0 {
		t.Errorf("counted: got %d calls; want 10, whatever is overwritten", a.Count)
	}
}

func TestCallsInHoldsCountWhenKept(t *testing.T) {
	clock := useFakeClock(t)
	z := perCallZone(t, "held")
	spend(clock, z, 1)
	for i := range int64(4) {
		h := z.Hold()
		clock.advance(20 + i)
		if c := callsOf(t, z); c.Count != 1+uint64(i)/2 {
			t.Errorf("before the decision: got %d calls; want %d", c.Count, 1+i/2)
		}
		h.Keep(i%2 == 1)
	}
	spend(clock, z, 2)
	if c := callsOf(t, z); c.Count != 4 || c.Sum != 1+21+23+2 || c.Min() != 1 || c.Max() != 23 || c.Missing != 0 {
		t.Errorf("got %+v; want calls of 1, 21, 23, 2", c)
	}
}

func TestHistogramsStayWithinTheirMemory(t *testing.T) {
	clock := useFakeClock(t)
	many := make([]Zone, 400)
	for i := range many {
		many[i].SetPerCall(true)
		defer many[i].SetPerCall(false)
		for shift := range 50 {
			spend(clock, &many[i], 1<<shift)
		}
	}
	if got := MemoryUsed().Calls; got > maxCallBytes || got < maxCallBytes/2 {
		t.Errorf("bytes: got %d; want at most %d, and most of it in use", got, maxCallBytes)
	}
	var counted, missing uint64
	for _, c := range AppendCalls(nil) {
		counted, missing = counted+c.Count, missing+c.Missing
	}
	if counted == 0 || missing == 0 || counted+missing > 400*50 {
		t.Errorf("got %d calls, %d missing; want some of each", counted, missing)
	}
	laneFor(false).Close()
	var f Frame
	Collect(&f)
	if got := MemoryUsed().Calls; got != 0 {
		t.Errorf("after the lane's end: got %d bytes; want 0", got)
	}
}

// TestCallsAtFullSpeed reads them from another goroutine while they are counted, on the path through the assembly.
func TestCallsAtFullSpeed(t *testing.T) {
	useRealClock(t)
	z := perCallZone(t, "quick")
	const entries = 20_000
	done := make(chan bool)
	go func() {
		lane := Register("counter")
		for range entries / 2 {
			outer := zoneA.Begin()
			z.Begin().End()
			z.In(lane).End()
			outer.End()
		}
		done <- true
	}()
	var all []Calls
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
			all = AppendCalls(all[:0])
		}
	}
	c := callsOf(t, z)
	if c.Count != entries || c.Missing != 0 || c.Min() < 0 || c.Max() < c.Min() || c.Sum <= 0 {
		t.Errorf("got %+v; want %d calls", c, entries)
	}
	allocs := allocstest.PerRun(100, func() { z.Begin().End(); all = AppendCalls(all[:0]) })
	if allocs > 1 && platform.Assembly {
		t.Errorf("allocations: got %v; want at most the list of lanes", allocs)
	}
}

// A display that no longer shows the calls of a zone leaves the histogram that the program wants.
func TestDisplaysDoNotTakeTheProgramsHistogram(t *testing.T) {
	clock := useFakeClock(t)
	z := perCallZone(t, "wanted by two")
	spend(clock, z, 1) // the lane learns it at this one
	id, _ := zones.of(z)
	before := callsOf(t, z).Count
	first, second := WantCalls(id), WantCalls(id)
	spend(clock, z, 5)
	first()
	first() // once is enough
	spend(clock, z, 5)
	second()
	spend(clock, z, 5)
	if got := callsOf(t, z).Count - before; got != 3 {
		t.Errorf("calls while displays came and went: got %d; want 3", got)
	}
	display := WantCalls(id)
	z.SetPerCall(false)
	spend(clock, z, 5)
	if got := callsOf(t, z).Count - before; got != 4 {
		t.Errorf("calls that only a display wants: got %d; want 4", got)
	}
	display()
	spend(clock, z, 5)
	if got := callsOf(t, z).Count; got != 0 {
		t.Errorf("calls that nobody wants: got %d; want the histogram gone", got)
	}
}
