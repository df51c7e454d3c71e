package numbers

import (
	"fmt"
	"math"
	"testing"
)

func TestTallyIsTakenOnce(t *testing.T) {
	var all Tally
	take := func(move bool) (got string) {
		all.Take(move, func(i int, n uint32) { got += fmt.Sprint(i, ":", n, " ") })
		return got
	}
	for _, i := range []int{3, 1, 3} {
		all.Add(i)
	}
	if look, taken, again := take(false), take(true), take(true); look != "1:1 3:2 " || taken != look || again != "" {
		t.Errorf("got %q, %q, %q; want 1:1 3:2 twice, then nothing", look, taken, again)
	}
	all.counts[1] = math.MaxUint32 + 5
	if first, rest := take(true), take(true); first != "1:4294967295 " || rest != "1:5 " {
		t.Errorf("large: got %q, %q; want all that 32 bits hold, then 5", first, rest)
	}
	all.Add(0)
	if all.Reset(); take(true) != "" {
		t.Error("after Reset: got counts; want none")
	}
}
