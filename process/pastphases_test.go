//go:build !iprof_off

package process_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestCollectorTimesOfTheHistory compares the collector's times of columns with sums over all states of each frame.
func TestCollectorTimesOfTheHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 27))
	for range 40 {
		s := process.NewSession()
		n := 5 + r.IntN(60)
		for i := range n {
			write(t, s, workerFrame(uint64(i), platform.Ticks(20+r.IntN(80)), 12))
		}
		var states []gather.LaneState
		for range r.IntN(50) {
			begin := platform.Ticks(r.IntN(100 * n))
			states = append(states, gather.LaneState{Lane: report.LaneID(r.IntN(3)), Kind: gather.StateKind(r.IntN(8)),
				Begin: begin, End: begin + 1 + platform.Ticks(r.IntN(300))})
		}
		s.AddStates(0, platform.Ticks(100*n), states)
		var p process.Snapshot
		w := report.Window{Frames: 1 + r.IntN(n), Skip: r.IntN(5), Columns: 1 + r.IntN(n)}
		s.View().Snapshot(&p, process.SnapshotOptions{Past: w})
		for _, c := range p.Past.Columns {
			var want report.CollectorTime
			for age := c.Newest; age <= c.Oldest; age++ {
				add(&want, s, states, age)
			}
			if got := c.Collector; math.Abs(float64(got.Marking-want.Marking)) > 1e-3 ||
				math.Abs(float64(got.Assist-want.Assist)) > 1e-3 || math.Abs(float64(got.Stopped-want.Stopped)) > 1e-3 {
				t.Fatalf("ages %d to %d: got %v; want %v", c.Newest, c.Oldest, got, want)
			}
		}
	}
}

// add adds the collector's part of the frame of an age, which is a tick a ms.
func add(to *report.CollectorTime, s *process.Session, states []gather.LaneState, age int) {
	f := s.AppendFrames(nil, age+1)[0]
	begin := platform.Ticks(f.Index) * 100
	end := begin + platform.Ticks(math.Round(float64(f.Length)))
	for _, q := range states {
		ms := float32(max(min(q.End, end)-max(q.Begin, begin), 0))
		switch q.Kind {
		case gather.StateMarking:
			to.Marking += ms
		case gather.StateAssist:
			to.Assist += ms
		case gather.StateStopped:
			to.Stopped += ms
		}
	}
}
