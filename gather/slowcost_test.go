//go:build !iprof_off

package gather_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// TestSlowPathsAreTimed enters new stacks, and then the same ones again: only the first entries are slow. A simulated
// clock cannot be used, because slow paths are not timed by one.
func TestSlowPathsAreTimed(t *testing.T) {
	if platform.Assembly && !platform.Direct() {
		t.Skip("with this machine's clock all entries take the slow path")
	}
	lane := gather.Register("slow paths")
	defer lane.Close()
	var f gather.Frame
	gather.Collect(&f)
	slow := func() (ticks int64) {
		gather.Collect(&f)
		for i := range f.Lanes {
			if f.Lanes[i].ID == lane.ID() {
				ticks = int64(f.Lanes[i].Slow)
			}
		}
		return ticks
	}
	zones := make([]gather.Zone, 20)
	enter := func() {
		var open [20]gather.Scope
		for i := range zones { // each below the one before: of very many below one zone, the last are always slow
			zones[i].Name = "slow " + strconv.Itoa(i)
			open[i] = zones[i].Begin()
		}
		for i := range slices.Backward(zones) {
			open[i].End()
		}
	}
	enter()
	first := slow()
	if first <= 0 {
		t.Errorf("first entries: got %d ticks in slow paths; want some", first)
	}
	for begun := time.Now(); ; { // a reader may send the goroutine to the slow path
		enter()
		later := slow()
		if later == 0 {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("later entries: got %d ticks in slow paths each time; want none", later)
		}
	}
}
