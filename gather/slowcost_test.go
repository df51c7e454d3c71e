//go:build !iprof_off

package gather_test

import (
	"strconv"
	"testing"

	"example.com/iprof/gather"
)

// TestSlowPathsAreTimed enters new stacks, and then the same ones again: only the first entries are slow.
func TestSlowPathsAreTimed(t *testing.T) {
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
	zones := make([]gather.Zone, 100)
	enter := func() {
		for i := range zones {
			zones[i].Name = "slow " + strconv.Itoa(i)
			zones[i].Begin().End()
		}
	}
	enter()
	first := slow()
	if first <= 0 {
		t.Errorf("first entries: got %d ticks in slow paths; want some", first)
	}
	least := first
	for range 10 { // a reader may send the goroutine to the slow path
		enter()
		least = min(least, slow())
	}
	if least > first/4 {
		t.Errorf("later entries: got %d ticks in slow paths; want far less than the %d of the first", least, first)
	}
}
