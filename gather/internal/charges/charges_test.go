package charges

import "testing"

func TestSumsSinceTheLastMove(t *testing.T) {
	var s Sums
	check := func(name string, move bool, want [Kinds]uint64) {
		t.Helper()
		if got, any := s.Since(move); got != want || any != (want != [Kinds]uint64{}) {
			t.Errorf("%s: got %v, any %v; want %v", name, got, any, want)
		}
	}
	check("new", true, [Kinds]uint64{})
	s.Bump(Units, 5)
	s.Add(Errors, 1)
	want := [Kinds]uint64{Units: 5, Errors: 1}
	check("before the move", false, want)
	check("the move", true, want)
	check("after the move", true, [Kinds]uint64{})
	s.AddAll(&want)
	s.Bump(Units, 2)
	check("added again", true, [Kinds]uint64{Units: 7, Errors: 1})
}
