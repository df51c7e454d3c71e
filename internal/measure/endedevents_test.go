//go:build !iprof_off

package measure

import (
	"slices"
	"testing"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// The oracle is a list of the times of all events of each lane.
func TestEndedLanesKeepTheLatestEvents(t *testing.T) {
	held := budget.Held(budget.Events)
	var e endedRing
	var all [][]Event
	now := platform.Ticks(0)
	for key, count := range []int{10, 4000, 1, 5000, 0, 60000, 100, 3, 70000, 2000} {
		since := now
		var events []Event
		for range count {
			now++
			events = append(events, Event{Time: now})
		}
		all = append(all, events)
		e.save(LaneID(key), since, func(dst []Event) []Event { return append(dst, events...) })
		left := mostEnded // events that the ring has room for
		for k := key; k >= 0; k-- {
			want := all[k][max(len(all[k])-mostEnded, 0):]
			left -= len(want)
			s, found := e.find(LaneID(k))
			if found != (len(want) > 0 && left >= 0) || found && s.len() != len(want) {
				t.Fatalf("after %d: lane %d: got %t, %d events; want %d", key, k, found, s.len(), len(want))
			}
			if !found {
				continue
			}
			begin, end := want[len(want)/3].Time, want[len(want)*2/3].Time
			if got := e.appendTo(nil, s, begin, end); !slices.Equal(got, want[len(want)/3:len(want)*2/3+1]) {
				t.Fatalf("lane %d from %d to %d: got %d events", k, begin, end, len(got))
			}
			e.each(begin, end, func(at LaneID, _ span) {
				if at != LaneID(k) {
					t.Errorf("%d to %d: got lane %d; want %d", begin, end, at, k)
				}
			})
		}
	}
	if len(e.spans) != e.lanes() || e.len() != mostEnded {
		t.Errorf("got %d lanes in the map, %d in order", len(e.spans), e.lanes())
	}
	if s, _ := e.find(8); s.since != 0 {
		t.Errorf("got a lane whose events are overwritten")
	}
	if e.free(); budget.Held(budget.Events) != held || e.used() != 0 {
		t.Errorf("freed: got %d bytes, %d events", budget.Held(budget.Events)-held, e.used())
	}
}
