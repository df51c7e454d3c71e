package calls

import (
	"math/rand"
	"testing"

	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
)

// The oracle is a histogram to which each call is added by its own duration.
func TestCallsAreThoseOfAHistogram(t *testing.T) {
	r, want := rand.New(rand.NewSource(1)), histogram.Histogram{}
	c, other := New(-7, 3), New(0, 0)
	defer c.Free()
	defer other.Free()
	time := platform.Ticks(50)
	c.Count(time) // it was open at the start
	entries := uint64(3)
	for range 1000 {
		took := platform.Ticks(r.Intn(5000))
		time, entries = time+took, entries+1
		if took%7 == 0 {
			c.Skip(time)
			continue
		}
		c.Count(time)
		want.Add(took)
	}
	check := func(c *Calls, entries, missing uint64) {
		t.Helper()
		var got histogram.Histogram
		if n := c.ReadTo(&got, entries); n != missing {
			t.Errorf("got %d missing calls; want %d", n, missing)
		}
		if got.Count != want.Count || got.Sum != want.Sum || got.Quantile(0.5) != want.Quantile(0.5) {
			t.Errorf("got %d calls of %d ticks; want %d of %d", got.Count, got.Sum, want.Count, want.Sum)
		}
	}
	check(c, entries, 1000-want.Count)
	c.MoveTo(other, c.Sum())
	check(other, want.Count, 0)
	if want = (histogram.Histogram{}); c.Sum() != 0 {
		t.Errorf("moved: got %d ticks; want 0", c.Sum())
	}
	check(c, 0, 0)
	var none *Calls
	none.Count(1)
	none.Skip(1)
	none.MoveTo(c, 1)
	none.Free()
}
