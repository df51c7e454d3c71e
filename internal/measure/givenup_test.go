//go:build !iprof_off

package measure

import (
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/platform"
)

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
	wait(t, func() bool { return waitsFor("measure.collectTurn") })
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
