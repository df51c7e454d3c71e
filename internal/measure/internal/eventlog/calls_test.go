package eventlog

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// Calls around thousands of others, and around each other, are visited with the inner ones, in the order of their ends.
// Calls whose beginning is overwritten are not.
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

// A ring grows up to its share of what is left for events, and not beyond.
func TestARingMayTakeItsWholeShare(t *testing.T) {
	defer budget.SetLimit(budget.Default)
	budget.SetLimit(1 << 30)
	all := budget.Limit()/eventsShare - budget.Held(budget.Events)
	for _, taken := range []int64{0, 1 << 20, all / 2} {
		budget.Add(budget.Events, taken)
		most := (all - taken) / ringShare
		if !Fits(most) || Fits(most+1) {
			t.Errorf("%d bytes taken: got %v for %d more, %v for one beyond; want true, false", taken, Fits(most), most,
				Fits(most+1))
		}
		budget.Add(budget.Events, -taken)
	}
}

// While a goroutine overwrites the oldest events, a reader of their times gets some of them or a gap, and never a later
// event.
func TestAStretchThatIsOverwrittenHasOnlyItsTimes(t *testing.T) {
	g := New(256, nil)
	var written atomic.Int64
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for now := platform.Ticks(1); ; now++ {
			select {
			case <-stop:
				return
			default:
			}
			for !g.Ready() {
				g.Grow()
			}
			g.Put(now, uint64(now))
			written.Store(int64(now))
		}
	}()
	for written.Load() < 1000 {
		runtime.Gosched()
	}
	for overtaken := 0; overtaken < longtest.Pick(1000, 300); {
		oldest := g.Oldest()
		begin := platform.Ticks(g.At(oldest).Time)
		end, last := begin+20, begin
		for r := g.Read(begin, end); r.Next(g); {
			for _, e := range r.Events() {
				if e.Time < last || e.Time > end {
					t.Fatalf("got an event of %d after %d; want them from %d to %d, in order", e.Time, last, begin, end)
				}
				last = e.Time
			}
		}
		if g.Oldest() > oldest {
			overtaken++
		}
	}
	close(stop)
	<-done
	g.Free()
}
