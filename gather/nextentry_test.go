package gather_test

import (
	"fmt"
	"testing"

	"example.com/iprof/gather"
)

func ExampleOnNextEntry() {
	if !gather.Enabled { // with the tag iprof_off no zone is entered
		fmt.Println("something happens")
		return
	}
	gather.OnNextEntry(func() { fmt.Println("something happens") })
	for range 3 {
		stepPhysics()
	}
	// Output: something happens
}

// TestTheNextEntryIsAwaitedOnce: also while the governor has other functions for entries, and after a change of those.
func TestTheNextEntryIsAwaitedOnce(t *testing.T) {
	if !gather.Enabled {
		t.Skip("no zone is entered")
	}
	limit := gather.OverheadLimit()
	defer gather.SetOverheadLimit(limit)
	calls := 0
	for _, share := range []float64{0, 0.01, 0} {
		gather.OnNextEntry(func() { t.Error("this function was replaced") })
		gather.OnNextEntry(func() { calls++ })
		gather.SetOverheadLimit(share)
		for range 3 {
			stepPhysics()
		}
	}
	gather.OnNextEntry(func() { t.Error("it was taken back") })
	gather.OnNextEntry(nil)
	stepPhysics()
	if calls != 3 {
		t.Errorf("it was called %d times; want once for each of 3", calls)
	}
}
