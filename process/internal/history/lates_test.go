package history

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// TestLateStatesLeaveOutWhatIsKnown compares with a search through all known states for each new one, which takes
// seconds with as many as an execution trace has.
func TestLateStatesLeaveOutWhatIsKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	states := func() (list []gather.LaneState) {
		for range 40 {
			begin := platform.Ticks(random.IntN(300))
			list = append(list, gather.LaneState{Lane: gather.LaneID(1 + random.IntN(2)), Kind: gather.StateWaiting,
				Begin: begin, End: begin + 1 + platform.Ticks(random.IntN(40))})
		}
		slices.SortStableFunc(list, byBegin)
		return list
	}
	for range 200 {
		list, had := states(), states()
		l := LateStates{until: platform.Ticks(random.IntN(100))}
		var want []gather.LaneState
		for _, q := range list {
			q.Begin = max(q.Begin, l.until)
			want = appendWithout(want, q, had)
		}
		if l.add(list, had, 400); !reflect.DeepEqual(l.list, want) {
			t.Fatalf("got %v\nwant %v", l.list, want)
		}
	}
}
