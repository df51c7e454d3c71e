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
	gather.OnNextEntry(func(entered *gather.Zone) (done bool) {
		fmt.Println("something happens")
		return true
	})
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
		gather.OnNextEntry(func(*gather.Zone) bool { t.Error("this function was replaced"); return true })
		gather.OnNextEntry(func(*gather.Zone) bool { calls++; return true })
		gather.SetOverheadLimit(share)
		for range 3 {
			stepPhysics()
		}
	}
	gather.OnNextEntry(func(*gather.Zone) bool { t.Error("it was taken back"); return true })
	gather.OnNextEntry(nil)
	stepPhysics()
	if calls != 3 {
		t.Errorf("it was called %d times; want once for each of 3", calls)
	}
}

// TestTheNextEntryMayBeOfAnotherZone: a function that is not content with a zone is called for the next ones.
func TestTheNextEntryMayBeOfAnotherZone(t *testing.T) {
	if !gather.Enabled {
		t.Skip("no zone is entered")
	}
	unwanted, wanted := gather.Zone{Name: "unwanted"}, gather.Zone{Name: "wanted"}
	var entered []string
	gather.OnNextEntry(func(z *gather.Zone) bool {
		entered = append(entered, z.Name)
		return z == &wanted
	})
	for _, z := range []*gather.Zone{&unwanted, &unwanted, &wanted, &wanted} {
		z.Begin().End()
	}
	if got := fmt.Sprint(entered); got != "[unwanted unwanted wanted]" {
		t.Errorf("it was called for %s", got)
	}
}
