package zoneset

import "testing"

func TestZonesAreInTheSetAsOftenAsAdded(t *testing.T) {
	var s Set[int32]
	for i, step := range []struct {
		do   func()
		want [3]bool // whether there are any, 1 and 2
	}{
		{func() {}, [3]bool{}},
		{func() { s.Add(1, true) }, [3]bool{true, true, false}},
		{func() { s.Add(1, true) }, [3]bool{true, true, false}},
		{func() { s.Add(2, true) }, [3]bool{true, true, true}},
		{func() { s.Add(1, false) }, [3]bool{true, true, true}},
		{func() { s.Add(1, false) }, [3]bool{true, false, true}},
		{func() { s.Put(1, true); s.Put(1, true) }, [3]bool{true, true, true}},
		{func() { s.Put(1, false) }, [3]bool{true, false, true}},
		{func() { s.Put(2, false) }, [3]bool{}},
	} {
		step.do()
		if got := [3]bool{s.Any(), s.Has(1), s.Has(2)}; got != step.want {
			t.Errorf("step %d: got %v; want %v", i, got, step.want)
		}
	}
	for _, want := range []bool{true, false} {
		if got := s.Put(3, true); got != want {
			t.Errorf("Put: got a change %v; want %v", got, want)
		}
	}
}

func TestMoveToEmptiesTheSet(t *testing.T) {
	var from, to Set[int32]
	to.Put(1, true)
	from.Put(1, true)
	from.Put(2, true)
	from.MoveTo(&to)
	if from.Any() || from.Has(2) || !to.Has(1) || !to.Has(2) {
		t.Error("got zones in the first set, or not in the second; want 1 and 2 in the second")
	}
	if to.Put(1, false); to.Has(1) {
		t.Error("got 1 in the set twice; want it once")
	}
}
