package process

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// A frame may have more entries of a node than its count can tell.
func TestMoreEntriesThanThirtyTwoBits(t *testing.T) {
	s := NewSession()
	f := gather.Frame{TicksPerSecond: 1000, End: 100, ScopeCost: totals.CostFraction,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 100,
			Nodes:  []gather.Node{{Parent: -1, Self: 40}, {ID: 1, Zone: 1, Self: 60, Count: 7}},
			Extras: []gather.NodeExtra{{Node: 1, More: 3}}}}}
	const want = 3<<32 + 7
	for range 2 {
		must.Do(t, s.WriteFrame(&f))
	}
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant, Mode: report.ReportHierarchicalTime})
	if got := r.Records[1].Values[report.ColumnCount]; got != want {
		t.Errorf("report: got %v entries; want %v", got, float64(want))
	}
	for _, n := range s.AppendTotals(nil) {
		if n.Zone == 1 && n.Count != 2*want {
			t.Errorf("totals: got %v entries; want %v", n.Count, float64(2*want))
		}
	}
	if got := s.store.Past.Age(0).CostMS; got != want { // a tick is a millisecond
		t.Errorf("frame: got %v ms for measuring; want a tick for each entry", got)
	}
}
