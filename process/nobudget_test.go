package process_test

import (
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// With a budget of an hour there is none: displays have 0, which draws no line and scales nothing.
func TestABudgetOfAnHourIsNone(t *testing.T) {
	s := process.NewSession()
	for i := range 3 {
		at := platform.Ticks(i) * 1000
		f := &gather.Frame{Index: uint64(i), Begin: at, End: at + 1000, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}, Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: at,
				End: at + 1000, Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 1000}}}}}
		must.Do(t, s.WriteFrame(f))
	}
	for _, c := range []struct {
		budget, shown time.Duration
		over          bool
	}{{time.Millisecond, time.Millisecond, true}, {report.NoBudget, 0, false}} {
		s.SetFrameBudget(c.budget)
		d, i := s.Dump(report.DumpOptions{}), s.View().Info()
		if d.Budget != c.shown || i.Budget != c.shown || i.Over != c.over {
			t.Errorf("budget %v: got %v in the dump, %v and over %v in the frame; want %v, over %v", c.budget, d.Budget,
				i.Budget, i.Over, c.shown, c.over)
		}
	}
}
