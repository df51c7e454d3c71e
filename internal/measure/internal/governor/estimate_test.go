package governor

import (
	"math"
	"testing"

	"example.com/iprof/platform"
)

// The oracle computes each sum from the list of bursts.
func TestRatioIsThatOfAllBursts(t *testing.T) {
	bursts := [][2]float64{{100, 10}, {240, 20}, {90, 10}, {0, 5}, {700, 50}}
	var r Ratio
	var ticks, entries, squares float64
	for _, b := range bursts {
		off := b[0] - ticks/max(entries, 1e-9)*b[1]
		squares += off * off
		r = r.Plus(1, Burst(b[0], b[1], r.Mean()))
		ticks, entries = ticks+b[0], entries+b[1]
	}
	if r.Bursts != 5 || r.Mean() != ticks/entries || math.Abs(r.Error()-math.Sqrt(squares)/entries) > 1e-12 {
		t.Errorf("got %v, mean %v, error %v; want the mean %v", r, r.Mean(), r.Error(), ticks/entries)
	}
	if half := r.Plus(0.5, Ratio{}); half.Mean() != r.Mean() || half.Error() != r.Error() || half.Bursts != 2.5 {
		t.Errorf("faded: got %v; want the same mean and error, and half the bursts", half)
	}
	if (Ratio{}).Mean() != 0 || (Ratio{}).Error() != 0 {
		t.Error("empty: got a figure; want 0")
	}
}

func TestRandomReachesEachNumber(t *testing.T) {
	r, seen := Random(1), map[uint32]int{}
	for range 9000 {
		seen[r.UpTo(8)]++
	}
	for n := range uint32(9) {
		if seen[n] < 800 || seen[n] > 1200 {
			t.Errorf("%d: got it %d times; want about 1000", n, seen[n])
		}
	}
	if len(seen) != 9 || r.UpTo(0) != 0 {
		t.Errorf("got %d numbers; want 0 to 8", len(seen))
	}
}

func TestQuartilesLeaveOutTheFarTimes(t *testing.T) {
	whole := []platform.Ticks{-50, 10, 12, 11, 13, 900, 10, 12}
	part := []platform.Ticks{-40, 5, 6, 5, 7, 1, 6, 7}
	if got := Quick(whole); got != 10 {
		t.Errorf("quick: got %d; want 10", got)
	}
	if got, want := Share(part, whole), (6.0+5+6+7)/(10+11+12+12); got != want {
		t.Errorf("share: got %v; want %v", got, want)
	}
	if got := Quick([]platform.Ticks{-3, -2, 5, 9}); got != 0 {
		t.Errorf("a clock that went back: got %d; want 0", got)
	}
}

func TestBiasSumsToTheSquareOfTheSum(t *testing.T) {
	var b Bias
	sum := 0.0
	for range 10 {
		peeked := b.Add(3, false)
		added := b.Add(3, true)
		if peeked != added {
			t.Errorf("not kept: got %v; want %v", peeked, added)
		} else {
			sum += added
		}
	}
	if sum < 0.95*900 || sum > 900 {
		t.Errorf("ten errors of 3: got %v; want a little less than 900, as earlier ones fade", sum)
	}
}

func TestLeastForgets(t *testing.T) {
	var l Least
	for _, x := range []float64{5, 2, 8} {
		l.Note(x)
	}
	if l < 2 || l > 2.1 {
		t.Errorf("least of 5, 2, 8: got %v; want 2 and a little more", l)
	}
	for range 200 {
		l.Note(8)
	}
	if l != 8 {
		t.Errorf("after many of 8: got %v; want 8", l)
	}
}

// TestAroundGivesWhatItHas asks a zone for more than its self time, and later for less.
func TestAroundGivesWhatItHas(t *testing.T) {
	var a Around
	for i, c := range []struct{ there, estimates, share, excess float64 }{
		{100, 80, 1, 20},     // the first rest is not known
		{60, 80, 0.75, 0},    // 20 are owed
		{200, 80, 1.25, 100}, // and given
		{100, 80, 1, 20},
	} {
		share, excess := a.Give(c.there, c.estimates, 0)
		if share != c.share || math.Abs(excess-c.excess) > 1 {
			t.Errorf("frame %d: got share %v, excess %v; want %v, %v", i, share, excess, c.share, c.excess)
		}
	}
	if _, excess := a.Give(100, 80, 25); math.Abs(excess-10) > 1 {
		t.Errorf("with an error of 5: got excess %v; want about 10", excess)
	}
	a = Around{}
	a.Give(0, 1000, 0)
	for range 50 {
		a.Give(0, 100, 0)
	}
	if share, _ := a.Give(1e6, 100, 0); share != 9 {
		t.Errorf("after many without time: got share %v; want 9, as at most 8 estimates are owed", share)
	}
}
