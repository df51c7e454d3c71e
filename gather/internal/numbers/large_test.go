package numbers

import "testing"

func TestLargeNumbersComeFromTheirLowerHalves(t *testing.T) {
	var l Large
	n := uint64(0)
	for _, step := range []uint64{5, 1 << 30, 1<<31 - 1, 1 << 31, 7, 1<<31 - 1, 3 << 29, 0, 1 << 31} {
		if n += step; l.With(3, uint32(n)) != n {
			t.Errorf("got %d; want %d", l.With(3, uint32(n)), n)
		}
		if l.Set(3, n); IsLarge(n) != (len(l) == 1) {
			t.Errorf("%d: got %d kept", n, len(l))
		}
	}
	if l.Set(3, 0); l.With(3, 9) != 9 || len(l) != 0 {
		t.Errorf("after 0: got %d, %d kept; want 9, none", l.With(3, 9), len(l))
	}
}

// TestMoreOfALargeNumber takes steps of which only the lower half is known. The number grows on after each.
func TestMoreOfALargeNumber(t *testing.T) {
	var l Large
	n := uint64(0)
	for _, step := range []uint64{1 << 31, 3<<32 + 5, 7, 1 << 33, 1<<32 - 1} {
		low := uint32(n)
		n += step
		more, end := l.More(3, low, uint32(step), n+9)
		if uint64(more) != step>>32 || end != n {
			t.Errorf("step %d: got %d more and %d; want %d and %d", step, more, end, step>>32, n)
		}
		l.Set(3, end)
	}
}
