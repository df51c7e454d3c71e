//go:build !iprof_off

package measure

import (
	"iter"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// Zones in places where Go code does not usually look for trouble: before main, in finalizers, on locked threads, in
// coroutines, in bubbles. Zones in cgo callbacks are tested with a program in package iprof's testdata.

// before is what an initialiser saw: a scope that begins and ends there.
var before = func() bool {
	defer zoneA.Begin().End()
	return true
}()

func TestZoneInAnInitialiser(t *testing.T) {
	if !before {
		t.Error("got no initialiser; want one that went through a zone")
	}
}

// countOf sums the entries of a zone in a frame, over all lanes, and complains of what is left open.
func countOf(t *testing.T, f *Frame, name string) (count uint32) {
	t.Helper()
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			if f.Zones[n.Zone].Name == name {
				count += n.Count
				if n.Open {
					t.Errorf("%s: got it open; want it closed", name)
				}
			}
		}
	}
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.OtherLane != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
	return count
}

func TestZonesInFinalizersAndCleanups(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	ran := make(chan bool, 2)
	func() {
		finalized, cleaned := new([64]byte), new([64]byte)
		runtime.SetFinalizer(finalized, func(*[64]byte) {
			defer zoneA.Begin().End()
			ran <- true
		})
		runtime.AddCleanup(cleaned, func(int) {
			defer zoneB.Begin().End()
			ran <- true
		}, 0)
	}()
	for n, deadline := 0, time.After(5*time.Minute); n < 2; {
		runtime.GC()
		select {
		case <-ran:
			n++
		case <-deadline:
			t.Fatal("the collector never ran them")
		case <-time.After(time.Millisecond):
		}
	}
	runtime.GC() // by now their scopes have ended, too: the next of that goroutine's work is only begun afterwards
	must.Until(t, "no zone is open", func() bool { Peek(&f); return !anyOpen(&f, "a") && !anyOpen(&f, "b") })
	Collect(&f)
	a := countOf(t, &f, "a")
	b := countOf(t, &f, "b")
	if a != 1 || b != 1 {
		t.Errorf("got %d entries in the finalizer, %d in the cleanup; want 1, 1", a, b)
	}
}

func anyOpen(f *Frame, name string) bool {
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			if n.Open && f.Zones[n.Zone].Name == name {
				return true
			}
		}
	}
	return false
}

func TestZonesUnderLockOSThread(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			for range 100 {
				s := zoneA.Begin()
				runtime.Gosched()
				zoneB.Begin().End()
				s.End()
			}
		})
	}
	all.Wait()
	Collect(&f)
	a := countOf(t, &f, "a")
	b := countOf(t, &f, "b")
	if a != 800 || b != 800 {
		t.Errorf("got %d and %d entries; want 800 each", a, b)
	}
}

// An iterator that is pulled is a goroutine of its own: its zones are on its own lane, and do not mix with the
// puller's.
func TestZonesInPulledIterators(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	next, stop := iter.Pull(func(yield func(int) bool) {
		defer zoneA.Begin().End()
		for i := range 10 {
			s := zoneB.Begin()
			more := yield(i)
			s.End()
			if !more {
				return
			}
		}
	})
	for range 5 {
		s := zoneC.Begin()
		next()
		s.End()
	}
	stop()
	got := collect(t, &f)
	want := map[string]uint32{"a": 1, "b": 5, "c": 5}
	for name, count := range want {
		if n := countOf(t, &f, name); n != count {
			t.Errorf("%s: got %d entries; want %d", name, n, count)
		}
	}
	if got["c"].count != 5 || got["c/a"].count != 0 {
		t.Errorf("the puller's lane: got %v; want c alone", got)
	}
}

// In a bubble time.Now stands still, but zones go by the machine's clock, where they read it themselves.
func TestZonesInABubble(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	synctest.Test(t, func(*testing.T) {
		done := make(chan bool)
		go func() {
			s := zoneA.Begin()
			time.Sleep(24 * time.Hour) // none at all
			s.End()
			close(done)
		}()
		zoneB.Begin().End()
		<-done
	})
	Collect(&f)
	a := countOf(t, &f, "a")
	b := countOf(t, &f, "b")
	if a != 1 || b != 1 {
		t.Errorf("got %d and %d entries; want 1 each", a, b)
	}
	for i := range f.Lanes { // the bubble's day has passed, but no other time near it
		if l := &f.Lanes[i]; platform.Assembly && float64(l.End-l.Begin) > 12*3600*f.TicksPerSecond {
			t.Errorf("lane %q: got a frame of more than 12 hours; want the machine's time", l.Name)
		}
	}
}

// A goroutine that stands still in a zone for a thousand frames has each of them, and other goroutines keep theirs.
func TestGoroutineFrozenForAThousandFrames(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	release, in := make(chan bool), make(chan bool)
	var all sync.WaitGroup
	all.Go(func() {
		Register("frozen")
		defer zoneA.Begin().End()
		in <- true
		<-release
	})
	<-in
	for i := range 1000 {
		clock.advance(16)
		s := zoneB.Begin()
		clock.advance(1)
		s.End()
		got := collect(t, &f)
		lane := laneNamed(&f, "frozen")
		if lane == nil {
			t.Fatalf("frame %d: got no lane of the frozen goroutine; want it", i)
		}
		frozen := rows(t, &f, lane)["a"]
		if begun := frozen.count == 1; frozen.self != 17 || !frozen.open || begun != (i == 0) {
			t.Fatalf("frame %d: got %+v; want 17 ticks, open, begun in the first", i, frozen)
		}
		want(t, got, "b", 1, 1, false)
	}
	close(release)
	all.Wait()
	clock.advance(5)
	Collect(&f)
	if lane := laneNamed(&f, "frozen"); lane != nil && rows(t, &f, lane)["a"].open {
		t.Error("after its end: got it open; want it closed")
	}
}

// TestHundredThousandAlive has so many goroutines within zones at one time, each measured.
func TestHundredThousandAlive(t *testing.T) {
	goroutines := 100_000
	if testing.Short() || raceEnabled || !platform.Assembly {
		goroutines = 5_000
	}
	useRealClock(t)
	SetLimits(Limits{Lanes: goroutines + 100, Bytes: 1 << 30})
	var f Frame
	Collect(&f)
	release := make(chan bool)
	var in, all sync.WaitGroup
	in.Add(goroutines)
	for range goroutines {
		all.Go(func() {
			defer zoneA.Begin().End()
			zoneB.Begin().End()
			in.Done()
			<-release
		})
	}
	in.Wait()
	Collect(&f)
	lanes, open, inner := 0, 0, uint32(0)
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			switch f.Zones[n.Zone].Name {
			case "a":
				lanes++
				if n.Open {
					open++
				}
			case "b":
				inner += n.Count
			}
		}
	}
	if lanes != goroutines || open != goroutines || inner != uint32(goroutines) || f.Dropped.Lanes != 0 {
		t.Errorf("got %d lanes, %d open, %d inner entries, %d dropped; want %d three times, and 0", lanes, open, inner,
			f.Dropped.Lanes, goroutines)
	}
	close(release)
	all.Wait()
	Collect(&f)
	if anyOpen(&f, "a") {
		t.Error("after all ended: got some open; want none")
	}
	useRealClock(t) // drops all these lanes
}
