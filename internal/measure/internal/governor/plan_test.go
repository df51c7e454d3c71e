package governor

import (
	"testing"
)

// TestBurstsComparePairsOfBlocks runs bursts in which a timed entry takes 7 ticks and a counted one 2.
func TestBurstsComparePairsOfBlocks(t *testing.T) {
	by, plan := New(), Plan{Random: 99}
	by.Demote(dear, nodes())
	const bursts = 50
	var cost Ratio
	gap, timedFirst := plan.Restart(&by), 0
	for range bursts {
		if plan.Stage() != Gap || plan.Timed || gap < 1 {
			t.Fatalf("got stage %d, timed %t, a gap of %d; want a gap", plan.Stage(), plan.Timed, gap)
		}
		var order []bool
		for ended := false; !ended; {
			entries, _ := plan.Next(&by)
			if plan.Stage() != First || entries != max(by.Length/4, 1) {
				t.Fatalf("got stage %d of %d entries; want the first entries of a block", plan.Stage(), entries)
			}
			if entries, _ = plan.Next(&by); plan.Stage() != Block || entries != by.Length {
				t.Fatalf("got stage %d of %d entries; want a block", plan.Stage(), entries)
			}
			order = append(order, plan.Timed)
			took := 2 * float64(entries)
			if plan.Timed {
				took = 7 * float64(entries)
			}
			cost = plan.EndBlock(took, float64(entries), plan.Interrupted(took), false)
			if len(order) == 2*BlockPairs {
				gap, ended = plan.Next(&by)
				if !ended {
					t.Fatalf("got more than %d blocks", 2*BlockPairs)
				}
			}
		}
		for i := 0; i < len(order); i += 2 {
			if order[i] == order[i+1] {
				t.Fatalf("got blocks %v; want pairs of one timed and one counted", order)
			}
			if order[i] {
				timedFirst++
			}
		}
	}
	if timedFirst < bursts || timedFirst > bursts*BlockPairs-bursts {
		t.Errorf("got %d of %d pairs with the timed block first; want about half", timedFirst, bursts*BlockPairs)
	}
	if got := cost.Mean(); got < 4.99 || got > 5.01 || cost.Bursts < 100 {
		t.Errorf("got a cost of %v by %v pairs; want 5 by most of %d", got, cost.Bursts, bursts*BlockPairs)
	}
}
