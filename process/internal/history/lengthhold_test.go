package history

import (
	"math/rand/v2"
	"testing"
)

// TestTheHoldIsTheLongestOfFiveSeconds: the oracle is a list of all frames. A frame counts while its tenth of a second
// is the present one or one of the fifty before.
func TestTheHoldIsTheLongestOfFiveSeconds(t *testing.T) {
	type frame struct {
		tenth int64
		ms    float64
	}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		var h LengthHold
		var all []frame
		for seconds, i := 0.0, 0; i < 400; i++ {
			switch random.IntN(20) {
			case 0:
				seconds += 10 * random.Float64() // often longer than the hold
			case 1:
			default:
				seconds += 0.3 * random.Float64()
			}
			f := frame{int64(seconds * 10), 1000 * random.Float64()}
			all = append(all, f)
			h.Add(seconds, f.ms)
			want := 0.0
			for _, x := range all {
				if f.tenth-x.tenth <= holdSeconds*10 {
					want = max(want, x.ms)
				}
			}
			if got := h.Longest(); got != want {
				t.Fatalf("seed %d, frame %d at %.2f s: got %v; want %v", seed, i, seconds, got, want)
			}
		}
	}
}
