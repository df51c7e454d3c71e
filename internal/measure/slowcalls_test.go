//go:build !iprof_off

package measure

import (
	"fmt"
	"testing"
)

// request is a call of a route that calls a handler, which asks a database so many times.
func request(clock *fakeClock, route *Zone, handler, query int64, queries int) {
	r := route.Begin()
	h := zoneA.Begin()
	for range queries {
		spend(clock, &zoneB, query)
	}
	clock.advance(handler)
	h.End()
	clock.advance(1)
	r.End()
}

// parts lists the parts of a call: name, level, time and entries of each.
func parts(f *Frame, c *SlowCall) (s string) {
	for _, p := range c.Parts {
		s += fmt.Sprintf("%s %d %d %d; ", f.Zones[p.Zone].Name, p.Level, p.Time, p.Count)
	}
	return s
}

func slowCallsOf(f *Frame) (s []string) {
	for i := range f.SlowCalls {
		c := &f.SlowCalls[i]
		s = append(s, fmt.Sprintf("%s %d, usually %d: %s", f.Zones[c.Zone].Name, c.End-c.Begin, c.Usual, parts(f, c)))
	}
	return s
}

// A call of a route far over its own usual is found among others, with what the zones below it took in it alone.
func TestSlowCallIsFoundWithItsParts(t *testing.T) {
	clock := useFakeClock(t)
	route, quick := perCallZone(t, "GET /x"), perCallZone(t, "GET /quick")
	var f Frame
	for range 30 {
		request(clock, route, 20, 40, 2) // 101
		request(clock, quick, 1, 0, 1)
	}
	if Collect(&f); len(f.SlowCalls) != 0 {
		t.Errorf("usual calls: got %q; want none", slowCallsOf(&f))
	}
	begun := clock.now.Load()
	request(clock, route, 120, 60, 30) // 1921
	ended := clock.now.Load()
	request(clock, route, 20, 40, 2)
	request(clock, quick, 150, 0, 1) // slow for it, although the other route takes longer
	Collect(&f)
	got, want := slowCallsOf(&f), []string{
		fmt.Sprintf("GET /x 1921, usually 101: %s 0 1920 1; %s 1 1800 30; ", zoneA.Name, zoneB.Name),
		fmt.Sprintf("GET /quick 151, usually 2: %s 0 150 1; ", zoneA.Name)}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q; want %q", got, want)
	}
	c := &f.SlowCalls[0] // a reading is at least a tick after the frame before
	if d := int64(c.Begin) - begun; d < 0 || d > 1 || int64(c.End) != ended+d || c.Lane != f.Lanes[0].ID {
		t.Errorf("got %d to %d on lane %d; want %d to %d on %d", c.Begin, c.End, c.Lane, begun, ended, f.Lanes[0].ID)
	}
	if Collect(&f); len(f.SlowCalls) != 0 {
		t.Errorf("the next frame: got %q; want none", slowCallsOf(&f))
	}
}

// What is usual is of the zone, not of the goroutine: most requests have a goroutine of their own.
func TestSlowCallOnAGoroutineOfItsOwn(t *testing.T) {
	clock := useFakeClock(t)
	route := perCallZone(t, "GET /once")
	var f Frame
	for i := range 30 {
		done := make(chan bool)
		go func() {
			defer close(done)
			request(clock, route, 3, 2, 1)
			if i == 25 {
				request(clock, route, 300, 2, 1)
			}
		}()
		<-done
	}
	Collect(&f)
	want := fmt.Sprintf("[GET /once 303, usually 6: %s 0 302 1; ]", zoneA.Name)
	if got := fmt.Sprint(slowCallsOf(&f)); got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}

// Calls become longer for good: then that is usual.
func TestWhatIsUsualFollows(t *testing.T) {
	clock := useFakeClock(t)
	route := perCallZone(t, "GET /grows")
	slow := func(calls int, took int64) (n int) {
		for range calls {
			spend(clock, route, took)
		}
		var f Frame
		Collect(&f)
		return len(f.SlowCalls) + int(f.Dropped.Slow)
	}
	slow(100, 1000)
	first, later := slow(2000, 5000), slow(1000, 5000)
	if first < 1 || first > 500 || later != first-min(first, MaxSlowCalls) {
		t.Errorf("got %d slow calls, then %d; want some, and none after them", first, later)
	}
}

// Two times by turns are both usual, as of a cache that hits or misses; what is far over both is not.
func TestCallsThatAlternateAreNotSlow(t *testing.T) {
	clock := useFakeClock(t)
	route := perCallZone(t, "GET /cached")
	for i := range 300 {
		spend(clock, route, []int64{1000, 5000}[i%5%2])
	}
	spend(clock, route, 40_000)
	var f Frame
	if Collect(&f); len(f.SlowCalls) != 1 || f.SlowCalls[0].End-f.SlowCalls[0].Begin != 40_000 {
		t.Errorf("got %q; want the one of 40,000", slowCallsOf(&f))
	}
}

// Of many slow calls in a frame those furthest over the usual are kept, and the others are counted.
func TestSlowCallsAreBounded(t *testing.T) {
	clock := useFakeClock(t)
	route := perCallZone(t, "GET /many")
	var f Frame
	Collect(&f)
	before := f.Dropped.Slow
	for i := range int64(MaxSlowCalls) + 20 {
		for range 40 {
			spend(clock, route, 100)
		}
		spend(clock, route, 1000+i)
	}
	if Collect(&f); len(f.SlowCalls) != MaxSlowCalls || f.Dropped.Slow-before != 20 {
		t.Fatalf("got %d calls, %d dropped; want %d, 20", len(f.SlowCalls), f.Dropped.Slow-before, MaxSlowCalls)
	}
	for i := range f.SlowCalls {
		if c := &f.SlowCalls[i]; c.End-c.Begin < 1020 {
			t.Errorf("got a call of %d; want the longest alone", c.End-c.Begin)
		}
	}
}

// A hold that is not kept is no slow call. One that is kept has its parts, however the parts' nodes move.
func TestSlowHoldsCountWhenKept(t *testing.T) {
	clock := useFakeClock(t)
	route := perCallZone(t, "held route")
	hold := func(took int64, keep bool) {
		h := route.Hold()
		spend(clock, &zoneB, took)
		h.Keep(keep)
	}
	for range 20 {
		hold(1000, true)
	}
	hold(50_000, false)
	hold(1000, true)
	hold(70_000, true)
	var f Frame
	Collect(&f)
	want := fmt.Sprintf("[held route 70000, usually 1000: %s 0 70000 1; ]", zoneB.Name)
	if got := fmt.Sprint(slowCallsOf(&f)); got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}

// A zone that a display alone has counted is not judged.
func TestDisplaysJudgeNoCalls(t *testing.T) {
	clock := useFakeClock(t)
	z := &Zone{Name: "looked at"}
	spend(clock, z, 10)
	id, _ := z.ID()
	release := WantCalls(id)
	for range 40 {
		spend(clock, z, 10)
	}
	spend(clock, z, 900)
	var f Frame
	if Collect(&f); len(f.SlowCalls) != 0 {
		t.Errorf("got %q; want none", slowCallsOf(&f))
	}
	z.SetPerCall(true)
	defer z.SetPerCall(false)
	for range 40 {
		spend(clock, z, 10)
	}
	spend(clock, z, 900)
	if Collect(&f); len(f.SlowCalls) != 1 {
		t.Errorf("counted for the program: got %q; want one", slowCallsOf(&f))
	}
	release()
}
