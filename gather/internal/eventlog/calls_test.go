package eventlog

import (
	"slices"
	"testing"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/platform"
)

// TestEachCallHasTheCallsAroundMany: calls around thousands of others, and around each other, are visited with the
// inner ones, in the order of their ends. Calls whose beginning is overwritten are not.
func TestEachCallHasTheCallsAroundMany(t *testing.T) {
	type call struct {
		what uint64
		took platform.Ticks
	}
	for _, length := range []int{1 << 14, 1 << 10} {
		g := New(length, nil)
		var all []call
		var begins []platform.Ticks
		now := platform.Ticks(0)
		put := func(what uint64) {
			for !g.Ready() {
				g.Grow()
			}
			now++
			g.Put(now, what)
		}
		begin := func(what uint64) {
			put(what)
			begins = append(begins, now)
		}
		end := func(what uint64) {
			put(what | 1)
			last := len(begins) - 1
			all = append(all, call{what, now - begins[last]})
			begins = begins[:last]
		}
		begin(2)
		begin(4)
		for range 2500 {
			begin(6)
			end(6)
		}
		end(4)
		end(2)
		var got []call
		g.EachCall(func(what uint64, took platform.Ticks) { got = append(got, call{what, took}) })
		want := all
		if length < len(all) { // the outer calls began before what is kept
			want = all[:2500]
			want = want[max(0, len(want)-len(got)):]
			if len(got) < length/2-100 {
				t.Errorf("ring of %d: got %d calls; want most of those in memory", length, len(got))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("ring of %d: got %d calls; want %d, or others are different", length, len(got), len(want))
		}
		g.Free()
	}
}

// TestARingMayTakeItsWholeShare: a ring grows up to the share of the limit that it may take, and not beyond.
func TestARingMayTakeItsWholeShare(t *testing.T) {
	defer budget.SetLimit(budget.Default)
	budget.SetLimit(1 << 30)
	most := (budget.Limit()/eventsShare - budget.Held(budget.Events)) / ringShare
	if !Fits(most) || Fits(most+1) {
		t.Errorf("got %v for %d bytes, %v for one more; want true, false", Fits(most), most, Fits(most+1))
	}
}
