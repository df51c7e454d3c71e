//go:build !iprof_off

package measure

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/platform"
)

// recurse calls itself, with a zone, until its depth is most. It calls at in each call.
func recurse(z *Zone, depth, most int, at func(depth int)) {
	defer z.Begin().End()
	at(depth)
	if depth < most {
		recurse(z, depth+1, most, at)
	}
}

// The deepest node counts the calls below it as its own. Other zones have rows there.
func TestDeepRecursionTakesFewNodes(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	const most = 10_000
	deepest := strings.TrimSuffix(strings.Repeat("a/", MaxRecursion), "/")
	for range 2 {
		recurse(&zoneA, 1, most, func(depth int) {
			if clock.advance(1); depth%1000 == 0 {
				spend(clock, &zoneB, 1)
			}
		})
		got := collect(t, &f)
		if len(got) != MaxRecursion+2 {
			t.Errorf("got %d rows; want %d", len(got), MaxRecursion+2)
		}
		want(t, got, "a/a/a", 1, 1, false)
		want(t, got, deepest, most-MaxRecursion+1, most-MaxRecursion+1, false)
		want(t, got, deepest+"/b", 10, 10, false)
	}
	if f.Dropped.Nodes != 0 || f.Misuse.MissingEnd+f.Misuse.ExtraEnd+f.Misuse.DeferInLoop != 0 {
		t.Errorf("got %d entries dropped and %+v; want none and no misuse", f.Dropped.Nodes, f.Misuse)
	}
}

// The End of a scope around closes the calls without one.
func TestMissingEndsOfADeepRecursion(t *testing.T) {
	useFakeClock(t)
	var f Frame
	const most, missing = 300, 100
	recovered := func() {
		defer func() { _ = recover() }()
		var forget func(depth int)
		forget = func(depth int) {
			if zoneA.Begin(); depth == missing {
				panic("on the way out there is no End")
			}
			forget(depth + 1)
		}
		recurse(&zoneA, 1, most-missing, func(depth int) {
			if depth == most-missing {
				forget(1)
			}
		})
	}
	recovered()
	zoneB.Begin().End()
	got := collect(t, &f)
	want(t, got, "b", 0, 1, false)
	if count := entries(got, "a"); count != most || f.Misuse.MissingEnd != missing || f.Misuse.ExtraEnd != 0 {
		t.Errorf("got %d entries and %+v; want %d, %d without End", count, f.Misuse, most, missing)
	}
}

// entries returns the sum of the entries of a zone.
func entries(got map[string]row, zone string) (sum uint32) {
	for path, r := range got {
		if path == zone || strings.HasSuffix(path, "/"+zone) {
			sum += r.count
		}
	}
	return sum
}

// A zone whose calls are counted has a node for each, however deep.
func TestDeepRecursionPerCall(t *testing.T) {
	clock := useFakeClock(t)
	z := perCallZone(t, "deep and counted")
	const most = 300
	recurse(z, 1, most, func(int) { clock.advance(1) })
	counted := AppendCalls(nil)
	if len(counted) != most || counted[0].Count != 1 {
		t.Errorf("got %d nodes with calls; want %d, each with one", len(counted), most)
	}
}

// Calls are exact when a zone is muted in the middle of its deepest node.
func TestMutedInADeepRecursion(t *testing.T) {
	useFakeClock(t)
	var f Frame
	const most = 500
	recurse(&tiny, 1, most, func(depth int) {
		if depth == most/2 {
			muteZone(t, "tiny")
		}
	})
	recurse(&tiny, 1, most, func(int) {})
	if count := entries(collect(t, &f), "tiny"); count != 2*most || f.Misuse.ExtraEnd+f.Misuse.MissingEnd != 0 {
		t.Errorf("got %d entries and %+v; want %d and no misuse", count, f.Misuse, 2*most)
	}
}

// Below the deepest node, calls take no lock.
func TestDeepRecursionWaitsForNobody(t *testing.T) {
	useRealClock(t)
	atHome(t, func() {
		var f Frame
		recurse(&zoneA, 1, 2*MaxRecursion, func(depth int) {
			if depth == MaxRecursion+1 {
				whileLocked(t, laneFor(false), func() { recurse(&zoneA, 1, 1000, func(int) {}) })
			}
		})
		if count := entries(collect(t, &f), "a"); count != 1000+2*MaxRecursion {
			t.Errorf("got %d entries; want %d", count, 1000+2*MaxRecursion)
		}
	})
}

func TestDeepRecursionIsEvicted(t *testing.T) {
	clock := useFakeClock(t)
	const others = 100
	SetLimits(Limits{NodesPerLane: MaxRecursion + others/2})
	var f Frame
	recurse(&zoneA, 1, 300, func(int) { clock.advance(1) })
	for range 100 {
		for i := range others {
			outer := zones40[i/10].Begin()
			spend(clock, &zones40[10+i%10], 1)
			outer.End()
		}
		Collect(&f)
	}
	if got := entries(rows(t, &f, &f.Lanes[0]), "(other)"); got != 0 {
		t.Errorf("got %d entries without a row; want none", got)
	}
}

// An entry that an open node counts as its own takes no lock, and reads the clock once. Deep recursion is that. All are
// counted, and the last End closes the node.
func TestEntriesBelowALimitWaitForNobody(t *testing.T) {
	useRealClock(t)
	atHome(t, func() { enterBelowALimit(t) })
}

// atHome runs do on a goroutine whose lane is in its home slot. Lanes elsewhere, of places that two goroutines share,
// have to be sought, and their entries take the lock.
func atHome(t *testing.T, do func()) {
	t.Helper()
	stay := make(chan bool) // an ended goroutine would give its place to the next
	defer close(stay)
	for range 1000 {
		ran := make(chan bool)
		go func() {
			zoneC.Begin().End()
			l := laneFor(false)
			home := l != nil && platform.Home(l.key) == l.slot
			if home {
				do()
			}
			ran <- home
			<-stay
		}()
		if <-ran {
			return
		}
	}
	t.Fatal("no goroutine has its lane in its home slot")
}

// whileLocked calls do while another goroutine has the lane's lock. It is an error if do waits for it.
func whileLocked(t *testing.T, lane *Lane, do func()) {
	t.Helper()
	held, done, waited := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		lane.mu.Lock()
		defer lane.mu.Unlock()
		close(held)
		select {
		case <-done:
			waited <- false
		case <-time.After(10 * time.Second):
			go func() { waited <- true }()
		}
	}()
	<-held
	do()
	close(done)
	if <-waited {
		t.Error("entries wait for the lane's lock")
	}
}

func enterBelowALimit(t *testing.T) {
	SetLimits(Limits{Depth: 1})
	var f Frame
	Collect(&f)
	const deep = 1000
	scopes := make([]Scope, deep)
	scopes[0], scopes[1] = zoneA.Begin(), zoneB.Begin() // the second one makes the node
	lane := laneFor(false)
	whileLocked(t, lane, func() {
		for i := 2; i < deep; i++ {
			scopes[i] = [...]*Zone{&zoneA, &zoneB}[i%2].Begin()
		}
		for i := deep - 1; i > 1; i-- {
			scopes[i].End()
		}
	})
	lane.mu.Lock() // the other goroutine has left it
	nest := lane.nest
	lane.mu.Unlock()
	if nest != 1 {
		t.Errorf("got %d entries open in the node; want 1", nest)
	}
	scopes[1].End()
	scopes[0].End()
	zoneB.Begin().End()
	Collect(&f)
	got := rows(t, &f, &f.Lanes[0])
	a, other, b := got["a"], got["a/(other)"], got["b"]
	if a.count != 1 || other.count != deep-1 || b.count != 1 ||
		a.open || other.open {
		t.Errorf("got %+v; want a, a/(other) with %d entries, and b, all closed", got, deep-1)
	}
	if f.Dropped.Nodes != deep-1 || f.Misuse.ExtraEnd+f.Misuse.MissingEnd+f.Misuse.OtherLane != 0 {
		t.Errorf("got %+v and %+v; want %d nodes dropped and no misuse", f.Dropped, f.Misuse, deep-1)
	}
}

func TestTheEndOfAnotherGoroutineBelowALimit(t *testing.T) {
	useRealClock(t)
	SetLimits(Limits{Depth: 1})
	var f Frame
	Collect(&f)
	a, b, c := zoneA.Begin(), zoneB.Begin(), zoneA.Begin()
	ended := make(chan bool)
	go func() {
		c.End()
		close(ended)
	}()
	<-ended
	b.End()
	a.End()
	Collect(&f)
	if f.Misuse.OtherLane != 1 || f.Misuse.ExtraEnd+f.Misuse.MissingEnd != 0 {
		t.Errorf("got %+v; want one End on another goroutine", f.Misuse)
	}
}
