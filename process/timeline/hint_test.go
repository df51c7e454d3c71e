package timeline

import "testing"

// Who asks for all values one after the other looks at each about once, and finds those in any order.
func TestHintFindsTheNextAtOnce(t *testing.T) {
	const n = 5000
	var h hint
	looks := 0
	find := func(value int) int {
		return h.find(n, func(i int) bool { looks++; return i == value })
	}
	for value := range n {
		if got := find(value); got != value {
			t.Fatalf("got %d; want %d", got, value)
		}
	}
	if looks > n+1 {
		t.Errorf("got %d looks at %d values; want one each", looks, n)
	}
	for _, value := range []int{7, 3, n - 1, 0} {
		if got := find(value); got != value {
			t.Errorf("got %d; want %d", got, value)
		}
	}
	if got := find(n); got != -1 {
		t.Errorf("got %d of a value that is not there; want -1", got)
	}
}
