package numbers

import (
	"math/rand"
	"testing"
)

// The oracle is the set of numbers in use.
func TestNumbersInUseDifferAndAreDense(t *testing.T) {
	var p Pool
	r, used, most := rand.New(rand.NewSource(1)), map[uint32]bool{}, 0
	for range 2000 {
		if r.Intn(3) > 0 {
			n := p.Take()
			if used[n] {
				t.Fatalf("%d is in use already", n)
			}
			used[n] = true
			if most = max(most, len(used)); int(n) >= most {
				t.Fatalf("got %d; want less than %d", n, most)
			}
		} else {
			for n := range used {
				p.GiveBack(n)
				delete(used, n)
				break
			}
		}
		if p.InUse() != len(used) {
			t.Fatalf("got %d in use; want %d", p.InUse(), len(used))
		}
	}
}
