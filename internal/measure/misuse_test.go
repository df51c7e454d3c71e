//go:build !iprof_off

package measure

import (
	"runtime"
	"testing"

	"example.com/iprof/platform"
)

func TestNeverEndedNamesTheSite(t *testing.T) {
	useFakeClock(t)
	var f Frame
	outer := zoneA.Begin()
	named("forgotten")
	outer.End()
	Collect(&f)
	wantNote(t, &f, `zone "forgotten" (misuse_test.go:`,
		`never ended: did you mean defer iprof.Begin("forgotten").End()?`)
}

func TestDeferInALoopIsNamed(t *testing.T) {
	useFakeClock(t)
	var f Frame
	func() {
		for range 10 {
			defer named("looped").End()
		}
	}()
	Collect(&f)
	if f.Misuse.DeferInLoop == 0 || f.Misuse.MissingEnd != 0 {
		t.Errorf("got %+v; want defers in a loop, and none missing", f.Misuse)
	}
	wantNote(t, &f, `zone "looped" (misuse_test.go:`, "is deferred in a loop: use Span")
}

func TestForgottenEndInALoop(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	second := platform.Ticks(platform.TicksPerSecond())
	named, nodes := false, 0
	var inner, outside platform.Ticks
	for i := range 20_000 {
		zoneA.Begin() // forgotten
		s := zoneB.Begin()
		clock.advance(int64(second / 60))
		s.End()
		if i%60 != 59 {
			continue
		}
		Collect(&f)
		named = named || len(f.Misuse.Notes) > 0
		if !named {
			t.Fatalf("after %d entries in a second: no note", i+1)
		}
		nodes = max(nodes, len(f.Lanes[0].Nodes))
		for _, n := range f.Lanes[0].Nodes {
			if f.Zones[n.Zone].Name == "b" {
				inner += n.Self
			} else if n.Zone == 0 || f.Zones[n.Zone].Name == "(other)" {
				outside += n.Self
			}
		}
	}
	if want := 20_000 / 60 * 60 * (second / 60); nodes > 200 || inner != want || outside != 0 {
		t.Errorf("got %d nodes, %d ticks in b, %d in none; want few, %d, 0", nodes, inner, outside, want)
	}
	wantNote(t, &f, `zone "a" (`, "is begun again and again in one call of a function, and not ended")
}

// An interpreter that keeps its own stack has scopes in a slice. All counts and times are right.
func TestPileOfOwnStack(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	second := platform.Ticks(platform.TicksPerSecond())
	outer := zoneA.Begin()
	for round := range 3 {
		var scopes []Scope
		for range 1000 {
			scopes = append(scopes, zoneA.Begin())
			clock.advance(int64(second / 1000))
		}
		inner := zoneB.Begin()
		clock.advance(7)
		inner.End()
		for i := range scopes {
			scopes[len(scopes)-1-i].End()
			clock.advance(1)
		}
		Collect(&f)
		count, ticks, b := uint32(0), platform.Ticks(0), platform.Ticks(0)
		for _, n := range f.Lanes[0].Nodes {
			switch f.Zones[n.Zone].Name {
			case "a":
				count, ticks = count+n.Count, ticks+n.Self
			case "b":
				b += n.Self
			}
		}
		if round > 0 && count != 1000 || ticks != 1000*(second/1000)+1000 || b != 7 {
			t.Errorf("round %d: got %d entries, %d ticks, %d in b", round, count, ticks, b)
		}
	}
	outer.End()
	Collect(&f)
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd > 0 {
		t.Errorf("got %+v", m)
	}
}

// The End of an outer scope ends what a loop has forgotten.
func TestAbandonedPileIsCounted(t *testing.T) {
	useFakeClock(t)
	var f Frame
	outer := zoneB.Begin()
	for range 1000 {
		zoneA.Begin()
	}
	outer.End()
	zoneA.Begin().End()
	Collect(&f)
	if m := f.Misuse; m.MissingEnd != 1000 || m.ExtraEnd != 0 {
		t.Errorf("got %+v; want 1000 missing", m)
	}
	if len(f.Lanes[0].Nodes) > 70 {
		t.Errorf("got %d nodes", len(f.Lanes[0].Nodes))
	}
}

func TestRecursionIsNoLoop(t *testing.T) {
	useFakeClock(t)
	var f Frame
	var recurse func(n int)
	recurse = func(n int) {
		defer named("recursive").End()
		if n > 0 {
			recurse(n - 1)
		}
	}
	recurse(100)
	Collect(&f)
	if f.Misuse.DeferInLoop != 0 {
		t.Errorf("defers in a loop: got %d; want 0", f.Misuse.DeferInLoop)
	}
}

func TestLaneOfAnotherGoroutine(t *testing.T) {
	useFakeClock(t)
	var f Frame
	lane := Register("mine")
	defer lane.Close()
	elsewhere(t, func() {
		theirs := Register("theirs")
		defer theirs.Close()
		zoneA.In(lane).End()
	})
	Collect(&f)
	if !platform.Assembly {
		return // the Go twin does not ask whose lane it is
	}
	if theirs := laneNamed(&f, "theirs"); theirs == nil || rows(t, &f, theirs)["a"].count != 1 ||
		f.Misuse.OtherLane != 1 {
		t.Errorf("got %+v, %d on another lane; want a in their own, 1", f.Lanes, f.Misuse.OtherLane)
	}
}

func TestEndAfterTheGoroutineEnded(t *testing.T) {
	useRealClock(t)
	var f Frame
	scopes := make(chan Scope)
	go func() { Register("gone"); scopes <- zoneA.Begin() }()
	s := <-scopes
	for range 100 { // one of these has its place
		elsewhere(t, func() { zoneB.Begin().End() })
	}
	s.End()
	Collect(&f)
	if f.Misuse.ExtraEnd+f.Misuse.OtherLane != 1 && platform.Assembly {
		t.Errorf("got %+v; want one End too late", f.Misuse)
	}
}

func TestGoexitAndPanicCloseWhatIsDeferred(t *testing.T) {
	useRealClock(t)
	var f Frame
	elsewhere(t, func() {
		defer zoneA.Begin().End()
		defer zoneB.Begin().End()
		runtime.Goexit()
	})
	func() {
		defer func() { _ = recover() }()
		defer zoneA.Begin().End()
		defer zoneB.Begin().End()
		panic("host's")
	}()
	zoneC.Begin().End()
	Collect(&f)
	want := map[string]bool{"": true, "a": true, "a/b": true, "c": true}
	for i := range f.Lanes {
		for path, r := range rows(t, &f, &f.Lanes[i]) {
			if !want[path] || r.open {
				t.Errorf("got %q, open %v; want a, a/b and c, closed", path, r.open)
			}
		}
	}
	if m := f.Misuse; m.MissingEnd+m.ExtraEnd != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

// elsewhere runs f on another goroutine, to its end.
func elsewhere(t testing.TB, f func()) {
	t.Helper()
	done := make(chan bool)
	go func() { defer close(done); f() }()
	<-done
}

// TestLaneThatRegisterDidNotReturn uses one on a goroutine without a lane, and on one that has a lane.
func TestLaneThatRegisterDidNotReturn(t *testing.T) {
	clock := useFakeClock(t)
	var zero Lane
	var f Frame
	for i := range uint64(2) {
		s := zoneA.In(&zero)
		clock.advance(3)
		s.End()
		want(t, collect(t, &f), "a", 3, 1, false)
		if f.Misuse.OtherLane != i+1 {
			t.Errorf("entries on another lane: got %d; want %d", f.Misuse.OtherLane, i+1)
		}
	}
	zero.Close()
	if zero.ID() != 0 {
		t.Errorf("id: got %d; want 0", zero.ID())
	}
}

// TestLaneThatRegisterDidNotReturnAtFullSpeed is the same where Begin finds its lane by itself.
func TestLaneThatRegisterDidNotReturnAtFullSpeed(t *testing.T) {
	useRealClock(t)
	var zero Lane
	var f Frame
	for i := range uint64(2) {
		zoneA.In(&zero).End()
		if got := collect(t, &f)["a"].count; got != 1 || f.Misuse.OtherLane != i+1 {
			t.Errorf("got %d entries, %d on another lane; want 1, %d", got, f.Misuse.OtherLane, i+1)
		}
	}
}

// TestNoZoneOnAnotherLane enters a nil zone on a lane that is not the caller's.
func TestNoZoneOnAnotherLane(t *testing.T) {
	useRealClock(t)
	lane := make(chan *Lane)
	go func() { lane <- Register("other") }()
	var none *Zone
	none.In(<-lane).End()
	none.In(new(Lane)).End()
}
