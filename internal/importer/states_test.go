package importer_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
)

// A reader gives states by the numbers of threads as it finds them. Threads without a slice or a state are left out,
// and all states stay those of their threads. A number of no thread is none.
func TestStatesKeepTheirLanes(t *testing.T) {
	for _, threads := range [][]string{{"a", "b", "c"}, {"c", "a", "b"}, {"idle", "a", "idle too", "b", "c"},
		{"a", "idle", "c", "b"}} {
		trace := importer.New(nil)
		ids := map[string]gather.LaneID{}
		for i, name := range threads {
			ids[name] = trace.Goroutine(name, uint64(i+1))
			if len(name) == 1 {
				must.Do(t, trace.Add(name, "work", 10, 90))
			}
		}
		var want []string
		state := func(lane, waker gather.LaneID, says string) {
			s := gather.LaneState{Lane: lane, Waker: waker, Kind: gather.StateWaiting, Begin: 10, End: 90, Reason: says}
			want = append(want, says)
			must.Do(t, trace.AddState(s))
		}
		name := map[gather.LaneID]string{}
		for n, id := range ids {
			name[id] = n
		}
		for _, lane := range []gather.LaneID{0, ids["a"], ids["b"], ids["c"]} {
			for _, waker := range []gather.LaneID{0, ids["a"], ids["c"], gather.LaneID(len(threads) + 1)} {
				state(lane, waker, fmt.Sprintf("%q by %q", name[lane], name[waker]))
			}
		}
		s := must.Get(see(t, trace, importer.Frames{}))(t)
		var got []string
		for _, q := range s.states {
			got = append(got, fmt.Sprintf("%q by %q", s.lanes[q.Lane], s.lanes[q.Waker]))
			if got[len(got)-1] != q.Reason {
				t.Errorf("%v: got a state of %s; want %s", threads, got[len(got)-1], q.Reason)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %v; want %v", threads, got, want)
		}
	}
}
