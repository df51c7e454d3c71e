//go:build !iprof_off

package measure

import "testing"

func TestSumsSinceTheLastMove(t *testing.T) {
	var s sums
	check := func(name string, move bool, want [sumKinds]uint64) {
		t.Helper()
		if got, any := s.since(move); got != want || any != (want != [sumKinds]uint64{}) {
			t.Errorf("%s: got %v, any %v; want %v", name, got, any, want)
		}
	}
	check("new", true, [sumKinds]uint64{})
	s.bump(sumUnits, 5)
	s.add(sumErrors, 1)
	want := [sumKinds]uint64{sumUnits: 5, sumErrors: 1}
	check("before the move", false, want)
	check("the move", true, want)
	check("after the move", true, [sumKinds]uint64{})
	s.addAll(&want)
	s.bump(sumUnits, 2)
	check("added again", true, [sumKinds]uint64{sumUnits: 7, sumErrors: 1})
}
