//go:build !iprof_off

package measure

import (
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// worker registers, works in a for some ticks, and closes its lane.
func worker(t *testing.T, clock *fakeClock, ticks int64) {
	t.Helper()
	elsewhere(t, func() {
		lane := Register("worker")
		defer lane.Close()
		s := zoneA.Begin()
		clock.advance(ticks)
		Alloc(8)
		Count("jobs")
		s.End()
	})
}

// A program that never calls Update may have any number of lanes one after the other.
func TestLanesThatEndedMakeRoom(t *testing.T) {
	clock := useFakeClock(t)
	SetLimits(Limits{Lanes: 20})
	defer SetLimits(Limits{})
	var f Frame
	Collect(&f)
	const workers = 500
	for range workers {
		worker(t, clock, 3)
	}
	for _, take := range []func(*Frame){Peek, Collect} {
		take(&f)
		var self platform.Ticks
		var count uint32
		var allocs uint64
		for i := range f.Lanes {
			for path, r := range rows(t, &f, &f.Lanes[i]) {
				if path == "a" {
					self, count = self+r.self, count+r.count
				}
			}
			for _, x := range f.Lanes[i].Extras {
				allocs += x.Allocs
			}
		}
		if self != 3*workers || count != workers || allocs != workers || f.Dropped.Lanes != 0 || len(f.Lanes) > 21 {
			t.Errorf("got %d ticks, %d entries, %d allocs, %d dropped, %d lanes; want %d, %d, %d, 0, few",
				self, count, allocs, f.Dropped.Lanes, len(f.Lanes), 3*workers, workers, workers)
		}
		if got := valuesOf(&f)["jobs"]; got != workers {
			t.Errorf("jobs: got %v; want %d", got, workers)
		}
	}
	Collect(&f)
	if len(f.Lanes) != 1 {
		t.Errorf("a frame without workers: got %d lanes; want the updater's", len(f.Lanes))
	}
}

// The calls of lanes that ended are still counted.
func TestCallsOutliveTheirLane(t *testing.T) {
	clock := useFakeClock(t)
	zoneA.SetPerCall(true)
	defer zoneA.SetPerCall(false)
	var f Frame
	Collect(&f)
	for range 10 {
		worker(t, clock, 3)
		Collect(&f)
	}
	var count uint64
	var sum platform.Ticks
	for _, c := range AppendCalls(nil) {
		count, sum = count+c.Count, sum+c.Sum
	}
	if count != 10 || sum != 30 {
		t.Errorf("got %d calls, %d ticks; want 10, 30", count, sum)
	}
	zoneA.SetPerCall(false)
	if got := len(AppendCalls(nil)); got != 0 || MemoryUsed().Calls != 0 {
		t.Errorf("after the end of counting: got %d histograms, %d bytes; want none", got, MemoryUsed().Calls)
	}
}

// A lane must never have less time than was reported of it. If one has, the lane "(earlier goroutines)" must still
// not look open.
func TestLessThanNoTimeIsNotTakenForOpen(t *testing.T) {
	clock := useFakeClock(t)
	zoneA.SetPerCall(true)
	defer zoneA.SetPerCall(false)
	var f Frame
	Collect(&f)
	for range 2 {
		elsewhere(t, func() {
			lane := Register("worker")
			defer lane.Close()
			s := zoneA.Begin()
			clock.advance(3)
			s.End()
			for i := range lane.base {
				lane.base[i].hier = lane.node(uint32(i)).acc + 1 // as if that had been reported
			}
		})
		clock.advance(100)
		Collect(&f)
	}
	for range 3 {
		clock.advance(100)
		Collect(&f)
		for i := range f.Lanes {
			if got := rows(t, &f, &f.Lanes[i])["a"]; got.self != 0 || got.open {
				t.Errorf("lane %q: got %+v; want nothing, as the zone is closed", f.Lanes[i].Name, got)
			}
		}
	}
}

// A clock that goes back may leave a record with less time than was reported of it. Then new time does not show there
// for long, and new entries must.
func TestEntriesOfEndedLanesCountWhereTimeLacks(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	elsewhere(t, func() { // becomes the record, an hour of a reported that did not pass
		lane := Register("worker")
		defer lane.Close()
		s := zoneA.Begin()
		clock.advance(3600e3)
		Collect(&f)
		clock.advance(-3600e3 + 1)
		elsewhere(t, s.End)
	})
	entries := map[string]uint32{}
	elsewhere(t, func() {
		lane := Register("worker")
		defer lane.Close()
		s := zoneA.Begin()
		Collect(&f) // has the entry of a
		clock.advance(3600e3)
		for range 3 {
			b := zoneB.Begin()
			clock.advance(10)
			b.End()
		}
		s.End()
	})
	Collect(&f)
	for i := range f.Lanes {
		for path, r := range rows(t, &f, &f.Lanes[i]) {
			entries[path] += r.count
		}
	}
	if got := entries["a/b"]; got != 3 {
		t.Errorf("a/b: got %d entries; want 3", got)
	}
}

func TestNilZoneHasNoCallsToCount(t *testing.T) {
	var none *Zone
	none.SetPerCall(true)
	none.SetPerCall(false)
}

// Collect may give a lane up between any two steps of its goroutine. These tests do so by hand where that would crash.

func TestLaneClosedWhileItsGoroutineWaitsToCollect(t *testing.T) {
	useRealClock(t)
	var f Frame
	lanes, locked, done := make(chan *Lane), make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		zoneB.Begin().End()
		lanes <- laneFor(false)
		<-locked
		Collect(&f)
	}()
	l := <-lanes
	registry.mu.Lock()
	locked <- true
	must.Until(t, "a frame waits", func() bool { return waitsFor("measure.(*Set).collect") })
	l.mu.Lock()
	l.ended = true
	l.leaveSlot()
	l.mu.Unlock()
	registry.updates.dropEnded(0, 1)
	registry.mu.Unlock()
	<-done
	if len(f.Lanes) > 0 && f.Lanes[0].Updater {
		t.Errorf("got updater %q; want none", f.Lanes[0].Name)
	}
}

// waitsFor reports whether a goroutine waits for a mutex in a function.
func waitsFor(function string) bool {
	stacks := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if strings.Contains(stack, "sync.Mutex.Lock") && strings.Contains(stack, function) {
			return true
		}
	}
	return false
}

func TestLaneGivenUpBetweenLookingItUpAndUsingIt(t *testing.T) {
	useRealClock(t)
	zoneA.Begin().End()
	l := laneFor(true)
	if !l.rename("in time") {
		t.Error("got a lane that cannot be named; want that only of one given up")
	}
	l.retire(platform.Now())
	if got := (*Lane)(l.slot.Lane); got != nil {
		t.Errorf("lane of the slot: got %d; want none", got.id)
	}
	if l.rename("late") {
		t.Error("got a name for a lane that was given up; want none")
	}
}
