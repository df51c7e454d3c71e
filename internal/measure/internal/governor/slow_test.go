package governor

import (
	"testing"

	"example.com/iprof/platform"
)

// TestAStartCostsMoreThanAClockSees adds a start that two readings saw 60 ticks of, and one that was interrupted.
func TestAStartCostsMoreThanAClockSees(t *testing.T) {
	c := Calibration{Pair: 30 * Fraction}
	var s Slow
	s.AddStart(1000, 1060, c)
	if got := s.Since(true); got != 100 {
		t.Errorf("60 ticks of a start: got %d; want 100", got)
	}
	s.AddStart(2000, 900_000, c)
	if got := s.Since(true); got != 32*30*10/6 {
		t.Errorf("an interrupted start: got %d ticks; want what 32 pairs take, and what the clock did not see", got)
	}
	s.AddStart(2000, 1900, c)
	if got := s.Since(true); got != 0 {
		t.Errorf("a clock that went back: got %d ticks; want none", got)
	}
}

// TestAFirstEntryCostsMoreThanAClockSees plants first entries of stacks, of which two readings see a share. The sum is
// their whole cost. A page that the system clears is part of it, and a lost processor is not.
func TestAFirstEntryCostsMoreThanAClockSees(t *testing.T) {
	c := Calibration{Pair: 30 * Fraction}
	for planted, want := range map[platform.Ticks]platform.Ticks{500: 500, 9_000: 9_000, 900_000: 256 * 30 * 10 / 8} {
		var s Slow
		s.AddFirst(1000, 1000+planted*8/10, c)
		if got := s.Since(true); got != want {
			t.Errorf("a first entry of %d ticks: got %d; want %d", planted, got, want)
		}
	}
}
