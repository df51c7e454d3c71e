package process_test

import (
	"io"
	"math"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestDumpsOfExtremeTimes: a session whose times are at the ends of their type is dumped, whole and cut.
func TestDumpsOfExtremeTimes(t *testing.T) {
	for _, self := range []platform.Ticks{math.MinInt64, math.MinInt64 + 1, -1, 0, math.MaxInt64 / 2, math.MaxInt64} {
		for _, rate := range []float64{1, 1e9, 1e-300, 1e300} {
			f := gather.Frame{TicksPerSecond: rate, End: math.MaxInt64,
				Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}}}
			for lane := range 3 {
				f.Lanes = append(f.Lanes, gather.LaneFrame{ID: report.LaneID(lane + 1), Updater: lane == 0,
					Nodes: []gather.Node{{ID: gather.NodeID(2 * lane), Parent: -1, Self: self},
						{ID: gather.NodeID(2*lane + 1), Zone: 1, Self: self}}})
			}
			s := process.NewSession()
			if err := s.WriteFrame(&f); err != nil {
				t.Fatal(err)
			}
			for _, nodes := range []int{0, 1, 2} {
				if err := text.WriteJSON(io.Discard, s.Dump(report.DumpOptions{Nodes: nodes})); err != nil {
					t.Errorf("times of %d at %g ticks a second, %d nodes: %v", self, rate, nodes, err)
				}
			}
		}
	}
}
