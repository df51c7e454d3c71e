package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// A counter of 24 MHz, as Apple's, has ticks of 41.7 ns: the card writes no decimals below them.
func TestSingleCallsOfACoarseCounterHaveItsDecimals(t *testing.T) {
	s := process.NewSession()
	s.SetCallSource(countedElsewhere{})
	f := &gather.Frame{TicksPerSecond: 24e6, End: 200_000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 200_000, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 135_000, Count: 1001}}}}}
	p := cardOf(t, s, f)
	words := settled(t, p, 1280, 900, 1).AppendWords(nil)
	if !slices.ContainsFunc(words, func(w draw.Words) bool { return w.Text == "p50 1.4 µs" }) {
		t.Errorf("got no words %q in %v", "p50 1.4 µs", words)
	}
}
