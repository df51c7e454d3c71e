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

// The oracle is a list of all events. Event i is at time 2i.
func TestLogHasTheLatestEvents(t *testing.T) {
	held := budget.Held(budget.Events)
	g := New(256, []uint64{7})
	written, lost := 0, uint64(0)
	for _, more := range []int{10, 53, 1, 100, 92, 1, 300, 5000} {
		for range more {
			if !g.Ready() {
				g.Grow()
			}
			g.Put(platform.Ticks(2*written), uint64(written))
			written++
		}
		lost += g.Lost()
		oldest := int(g.Oldest())
		if kept := written - oldest; kept < min(written, g.Len()-InFlight) || g.Len() > 256 {
			t.Fatalf("%d events: got %d in a ring of %d", written, kept, g.Len())
		}
		if want := uint64(max(written-256, 0)); lost != want {
			t.Fatalf("%d events: got %d lost; want %d", written, lost, want)
		}
		checkStretches(t, g, oldest, written)
		at := oldest
		for r := g.Read(0, platform.MaxTicks); r.Next(g); {
			if r.Gap {
				t.Error("got a gap; want none")
			}
			for _, e := range r.Events() {
				if e.What != uint64(at) {
					t.Errorf("read: got event %d; want %d", e.What, at)
				}
				at++
			}
		}
		if at != written {
			t.Errorf("read: ended at %d; want %d", at, written)
		}
	}
	if g.Before(0) != 7 || g.Before(1) != 0 || g.Size() != 256 || !g.Keeps() {
		t.Errorf("got before %d, %d, size %d", g.Before(0), g.Before(1), g.Size())
	}
	if g.Free(); budget.Held(budget.Events) != held {
		t.Errorf("freed: %d bytes are left", budget.Held(budget.Events)-held)
	}
}

// checkStretches compares stretches of time around the oldest and the newest event with the list.
func checkStretches(t *testing.T, g *Log, oldest, written int) {
	t.Helper()
	for begin := 2*oldest - 3; begin < 2*written+3; begin += 1 + written/40 {
		for _, length := range []int{0, 1, 5, written} {
			first, last := oldest, oldest
			for i := oldest; i < written; i++ {
				if 2*i < begin {
					first = i + 1
				}
				if 2*i <= begin+length {
					last = i + 1
				}
			}
			a, b := g.Stretch(platform.Ticks(begin), platform.Ticks(begin+length))
			if int(a) != first || int(b) != max(first, last) {
				t.Fatalf("%d to %d: got %d to %d; want %d to %d", begin, begin+length, a, b, first, last)
			}
		}
	}
}

func TestRingWithoutMemoryOverwritesUntilThereIsSome(t *testing.T) {
	held := budget.Held(budget.Events)
	g := New(1024, make([]uint64, 3))
	defer budget.SetLimit(budget.Default)
	if got := budget.Held(budget.Events) - held; got != Least*eventBytes+3*8 {
		t.Errorf("got %d bytes held; want %d events and 3 numbers", got, Least)
	}
	budget.SetLimit(1)
	put := func(n int) {
		for range n {
			if !g.Ready() {
				g.Grow()
			}
			g.Put(1, 0)
		}
	}
	refused := budget.Refused()
	if put(500); g.Len() != Least || budget.Refused() != refused+1 {
		t.Errorf("got a ring of %d, %d refused; want %d, 1", g.Len(), budget.Refused()-refused, Least)
	}
	budget.SetLimit(eventsShare * (budget.Held(budget.Events) + ringShare*Least*eventBytes - 1)) // one byte too few
	g.Retry()
	if put(500); g.Len() != Least || budget.Refused() != refused+1 {
		t.Errorf("a byte too few: got a ring of %d, %d refused; want %d, 1", g.Len(), budget.Refused()-refused, Least)
	}
	budget.SetLimit(budget.Default)
	g.Retry()
	if put(2000); g.Len() != 1024 {
		t.Errorf("got a ring of %d; want 1024", g.Len())
	}
	if g.Free(); budget.Held(budget.Events) != held {
		t.Errorf("got %d bytes held after Free; want %d", budget.Held(budget.Events), held)
	}
}

func TestNilLogKeepsNothing(t *testing.T) {
	var g *Log
	g.Grow()
	g.Retry()
	if g.Keeps() || g.Size() != 0 || g.Lost() != 0 {
		t.Error("got something; want nothing")
	}
}

func TestSizesAreRounded(t *testing.T) {
	for events, want := range map[int]int{-1: 0, 0: 0, 1: Least, 64: 64, 65: 128, 5000: 8192, 1 << 30: Most} {
		if got := Round(events); got != want {
			t.Errorf("%d: got %d; want %d", events, got, want)
		}
	}
}

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
