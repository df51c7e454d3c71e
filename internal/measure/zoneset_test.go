//go:build !iprof_off

package measure

import "testing"

func TestZonesAreInTheSetAsOftenAsAdded(t *testing.T) {
	var s zoneSet
	for i, step := range []struct {
		do   func()
		want [3]bool // whether there are any, 1 and 2
	}{
		{func() {}, [3]bool{}},
		{func() { s.add(1, true) }, [3]bool{true, true, false}},
		{func() { s.add(1, true) }, [3]bool{true, true, false}},
		{func() { s.add(2, true) }, [3]bool{true, true, true}},
		{func() { s.add(1, false) }, [3]bool{true, true, true}},
		{func() { s.add(1, false) }, [3]bool{true, false, true}},
		{func() { s.put(1, true); s.put(1, true) }, [3]bool{true, true, true}},
		{func() { s.put(1, false) }, [3]bool{true, false, true}},
		{func() { s.put(2, false) }, [3]bool{}},
	} {
		step.do()
		if got := [3]bool{s.hasAny(), s.has(1), s.has(2)}; got != step.want {
			t.Errorf("step %d: got %v; want %v", i, got, step.want)
		}
	}
	for _, want := range []bool{true, false} {
		if got := s.put(3, true); got != want {
			t.Errorf("put: got a change %v; want %v", got, want)
		}
	}
}
