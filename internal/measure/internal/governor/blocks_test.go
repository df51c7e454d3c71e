package governor

import (
	"math"
	"testing"
)

// TestBlocksFindTheCostOfTiming compares blocks of 10 entries. Timing one takes 5 ticks, and the work varies.
func TestBlocksFindTheCostOfTiming(t *testing.T) {
	var b Blocks
	random := Random(1)
	block := func(timed, stalled bool) {
		took := 1000 + float64(random.UpTo(100))
		if stalled {
			took *= 100
		}
		if timed {
			took += 50
		}
		if far := b.Interrupted(took); timed {
			b.Add(true, took, 10, far)
		} else {
			b.Add(false, took, 0, far)
		}
	}
	const pairs = 4000
	for i := range pairs {
		b.BeginPair()
		block(i%3 == 0, i%50 == 49)
		block(i%3 != 0, false)
		b.EndPair(false)
	}
	if got := b.Cost.Mean(); math.Abs(got-5) > 4*b.Cost.Error() || b.Cost.Error() > 0.5 {
		t.Errorf("got a cost of %v, error %v; want 5", got, b.Cost.Error())
	}
}

func TestBlocksLeaveOut(t *testing.T) {
	var b Blocks
	b.BeginPair()
	b.Add(true, 100, 10, false)
	b.Add(false, 50, 0, true)
	b.EndPair(false)
	b.BeginPair()
	b.Add(true, 100, 0, false)
	b.Add(false, 50, 0, false)
	b.EndPair(false)
	b.BeginPair()
	b.Add(true, 100, 10, false)
	b.Add(false, 50, 0, false)
	b.EndPair(true)
	b.BeginPair()
	b.Add(true, 100, 10, false)
	if b.Cost.Bursts != 0 {
		t.Errorf("interrupted, without entries, left out: got %v pairs; want none", b.Cost.Bursts)
	}
	b.BeginPair()
	b.Add(false, 50, 0, false)
	b.Add(true, 100, 10, false)
	if b.EndPair(false); b.Cost.Bursts != 1 || b.Cost.Mean() != 5 {
		t.Errorf("got %v pairs, cost %v; want 1, 5", b.Cost.Bursts, b.Cost.Mean())
	}
}
