package eventlog

import (
	"slices"
	"testing"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/platform"
)

// The oracle is a list of all events of each goroutine. An event is its time.
func TestEndedGoroutinesKeepTheLatestEvents(t *testing.T) {
	held := budget.Held(budget.Events)
	e := Ended[int, platform.Ticks]{Time: func(t *platform.Ticks) platform.Ticks { return *t }}
	var all [][]platform.Ticks
	now := platform.Ticks(0)
	for key, count := range []int{10, 4000, 1, 5000, 0, 60000, 100, 3, 70000, 2000} {
		since := now
		var events []platform.Ticks
		for range count {
			now++
			events = append(events, now)
		}
		all = append(all, events)
		e.Save(key, since, func(dst []platform.Ticks) []platform.Ticks { return append(dst, events...) })
		left := MostEnded // events that the ring has room for
		for k := key; k >= 0; k-- {
			want := all[k][max(len(all[k])-MostEnded, 0):]
			left -= len(want)
			s, found := e.Find(k)
			if found != (len(want) > 0 && left >= 0) || found && s.Len() != len(want) {
				t.Fatalf("after %d: goroutine %d: got %t, %d events; want %d", key, k, found, s.Len(), len(want))
			}
			if !found {
				continue
			}
			begin, end := want[len(want)/3], want[len(want)*2/3]
			if got := e.Append(nil, s, begin, end); !slices.Equal(got, want[len(want)/3:len(want)*2/3+1]) {
				t.Fatalf("goroutine %d from %d to %d: got %d events", k, begin, end, len(got))
			}
			e.Each(begin, end, func(at int, _ Span) {
				if at != k {
					t.Errorf("%d to %d: got goroutine %d; want %d", begin, end, at, k)
				}
			})
		}
	}
	if len(e.spans) != e.Goroutines() || e.Len() != MostEnded {
		t.Errorf("got %d goroutines in the map, %d in order", len(e.spans), e.Goroutines())
	}
	if s, _ := e.Find(8); s.Since != 0 {
		t.Errorf("got a goroutine whose events are overwritten")
	}
	if e.Free(); budget.Held(budget.Events) != held || e.used() != 0 {
		t.Errorf("freed: got %d bytes, %d events", budget.Held(budget.Events)-held, e.used())
	}
}
