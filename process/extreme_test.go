package process_test

import (
	"fmt"
	"io"
	"math"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
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
			f.CPU, f.Lanes[0].CPU = math.MaxInt64-1, math.MaxInt64-1
			s := process.NewSession()
			for range 4 { // longer than 292 years together
				must.Do(t, s.WriteFrame(&f))
			}
			for _, o := range []report.DumpOptions{{}, {NoTrees: true}, {NoHistory: true}} {
				d := s.Dump(o)
				if d.RunTime < 1<<62 && rate != 1e300 || d.RunTime < 0 || d.Overhead < 0 || d.CPU < 1<<62 {
					t.Errorf("times of %d at %g ticks a second: got a run of %d ns, overhead %d, processor %d; "+
						"want none below 0, and 292 years", self, rate, d.RunTime, d.Overhead, d.CPU)
				}
			}
			for _, nodes := range []int{0, 1, 2} {
				if err := text.WriteJSON(io.Discard, s.Dump(report.DumpOptions{Nodes: nodes})); err != nil {
					t.Errorf("times of %d at %g ticks a second, %d nodes: %v", self, rate, nodes, err)
				}
			}
		}
	}
}

// TestTheHistoryKeepsTheLongestTime: a limit of 292 years stays one.
func TestTheHistoryKeepsTheLongestTime(t *testing.T) {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Within: math.MaxInt64})
	if got := s.HistoryLimits().Within; got != math.MaxInt64 {
		t.Errorf("got %d; want %d", got, math.MaxInt64)
	}
}

// A clock that counts seconds can count more of them than a Duration holds.
func ExampleDurationOf() {
	fmt.Println(report.DurationOf(1.5), report.DurationOf(1e300) == math.MaxInt64, report.DurationOf(math.NaN()))
	// Output: 1.5s true 0s
}
