//go:build !iprof_off

package measure_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// TestSlowPathsAreTimed enters new stacks, and then the same ones again: only the first entries are slow. A simulated
// clock cannot be used, because slow paths are not timed by one. So the test waits for a goroutine whose later entries
// take nothing at all. Goroutines whose place in the table of lanes is another's always take a slow path.
func TestSlowPathsAreTimed(t *testing.T) {
	if platform.Assembly && !platform.Direct() {
		t.Skip("with this machine's clock all entries take the slow path")
	}
	for begun := time.Now(); ; {
		first, later := make(chan int64), make(chan int64)
		go enterSlowly(first, later)
		if got := <-first; got <= 0 {
			t.Errorf("first entries: got %d ticks in slow paths; want some", got)
		}
		got := <-later
		if got == 0 {
			return
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("later entries: got %d ticks in slow paths on each goroutine; want none", got)
		}
	}
}

// enterSlowly sends the ticks in slow paths of the first entries, and the least of those of later ones.
func enterSlowly(first, later chan<- int64) {
	lane := measure.Register("slow paths")
	defer lane.Close()
	var f measure.Frame
	measure.Collect(&f)
	slow := func() (ticks int64) {
		measure.Collect(&f)
		for i := range f.Lanes {
			if f.Lanes[i].ID == lane.ID() {
				ticks = int64(f.Lanes[i].Slow)
			}
		}
		return ticks
	}
	zones := make([]measure.Zone, 20)
	enter := func() {
		var open [20]measure.Scope
		for i := range zones { // each below the one before
			zones[i].Name = "slow " + strconv.Itoa(i)
			open[i] = zones[i].Begin()
		}
		for i := range slices.Backward(zones) {
			open[i].End()
		}
	}
	enter()
	least := slow()
	first <- least
	for range 10 { // a reader may send the goroutine to the slow path
		enter()
		least = min(least, slow())
	}
	later <- least
}
