//go:build !iprof_off

package measure

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
)

// The oracle is the set of numbers in use.
func TestNumbersInUseDifferAndAreDense(t *testing.T) {
	var p numberPool
	r, used, most := rand.New(rand.NewSource(1)), map[uint32]bool{}, 0
	for range 2000 {
		if r.Intn(3) > 0 {
			n := p.take()
			if used[n] {
				t.Fatalf("%d is in use already", n)
			}
			used[n] = true
			if most = max(most, len(used)); int(n) >= most {
				t.Fatalf("got %d; want less than %d", n, most)
			}
		} else {
			for n := range used {
				p.giveBack(n)
				delete(used, n)
				break
			}
		}
		if p.inUse() != len(used) {
			t.Fatalf("got %d in use; want %d", p.inUse(), len(used))
		}
	}
}

func TestTallyIsTakenOnce(t *testing.T) {
	var all tally
	take := func(move bool) (got string) {
		all.take(move, func(i int, n uint32) { got += fmt.Sprint(i, ":", n, " ") })
		return got
	}
	for _, i := range []int{3, 1, 3} {
		all.add(i, 1)
	}
	if look, taken, again := take(false), take(true), take(true); look != "1:1 3:2 " || taken != look || again != "" {
		t.Errorf("got %q, %q, %q; want 1:1 3:2 twice, then nothing", look, taken, again)
	}
	all.counts[1] = math.MaxUint32 + 5
	if first, rest := take(true), take(true); first != "1:4294967295 " || rest != "1:5 " {
		t.Errorf("large: got %q, %q; want all that 32 bits hold, then 5", first, rest)
	}
	all.add(0, 1)
	if all.reset(); take(true) != "" {
		t.Error("after Reset: got counts; want none")
	}
}
