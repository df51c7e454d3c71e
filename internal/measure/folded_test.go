//go:build !iprof_off

package measure

import (
	"testing"
	"time"

	"example.com/iprof/platform"
)

// TestEntriesBelowALimitWaitForNobody: an entry that an open node counts as its own takes no lock, and reads the clock
// once. Deep recursion is that. All are counted, and the last End closes the node.
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
	if a, other, b := got["a"], got["a/(other)"], got["b"]; a.count != 1 || other.count != deep-1 || b.count != 1 ||
		a.open || other.open {
		t.Errorf("got %+v; want a, a/(other) with %d entries, and b, all closed", got, deep-1)
	}
	if f.Dropped.Nodes != deep-1 || f.Misuse.ExtraEnd+f.Misuse.MissingEnd+f.Misuse.OtherLane != 0 {
		t.Errorf("got %+v and %+v; want %d nodes dropped and no misuse", f.Dropped, f.Misuse, deep-1)
	}
}

// TestTheEndOfAnotherGoroutineBelowALimit: it is seen there, too.
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
