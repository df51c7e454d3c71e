package measure_test

import (
	"fmt"
	"testing"

	"example.com/iprof/internal/measure"
)

var physics = measure.Zone{Name: "physics"}

func stepPhysics() { defer physics.Begin().End() }

func ExampleOnNextEntry() {
	if !measure.Enabled { // with the tag iprof_off no zone is entered
		fmt.Println("something happens")
		return
	}
	measure.OnNextEntry(func(entered *measure.Zone) (done bool) {
		fmt.Println("something happens")
		return true
	})
	for range 3 {
		stepPhysics()
	}
	// Output: something happens
}

func TestTheNextEntryIsAwaitedOnce(t *testing.T) {
	if !measure.Enabled {
		t.Skip("no zone is entered")
	}
	limit := measure.OverheadLimit()
	defer measure.SetOverheadLimit(limit)
	calls := 0
	for _, share := range []float64{0, 0.01, 0} {
		measure.OnNextEntry(func(*measure.Zone) bool { t.Error("this function was replaced"); return true })
		measure.OnNextEntry(func(*measure.Zone) bool { calls++; return true })
		measure.SetOverheadLimit(share)
		for range 3 {
			stepPhysics()
		}
	}
	measure.OnNextEntry(func(*measure.Zone) bool { t.Error("it was taken back"); return true })
	measure.OnNextEntry(nil)
	stepPhysics()
	if calls != 3 {
		t.Errorf("it was called %d times; want once for each of 3", calls)
	}
}

// A function that is not content with a zone is called for the next ones.
func TestTheNextEntryMayBeOfAnotherZone(t *testing.T) {
	if !measure.Enabled {
		t.Skip("no zone is entered")
	}
	unwanted, wanted := measure.Zone{Name: "unwanted"}, measure.Zone{Name: "wanted"}
	var entered []string
	measure.OnNextEntry(func(z *measure.Zone) bool {
		entered = append(entered, z.Name)
		return z == &wanted
	})
	for _, z := range []*measure.Zone{&unwanted, &unwanted, &wanted, &wanted} {
		z.Begin().End()
	}
	if got := fmt.Sprint(entered); got != "[unwanted unwanted wanted]" {
		t.Errorf("it was called for %s", got)
	}
}
