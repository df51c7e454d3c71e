package process_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A hidden zone has no row in any report but its own call graph, and no series. Its callers keep its time.
func TestHiddenZonesHaveNoRows(t *testing.T) {
	s := process.NewSession()
	for i := range 20 {
		write(t, s, tree(uint64(i), []string{"a", "b", "c"}, "a 1 1\n  b 2 1\n    c 3 1\n"))
	}
	zone := func(name string) report.ZoneID {
		for id := report.ZoneID(0); ; id++ {
			if s.Zone(id).Name == name {
				return id
			}
		}
	}
	s.SetHidden(zone("b"), true)
	s.SetHidden(zone("b"), true) // once is enough
	for mode := range report.ReportMode(report.NumReportModes) {
		s.View().SetReportMode(mode)
		var r report.Report
		s.View().AppendReport(&r)
		for line := range r.Len() {
			row, _ := r.Line(line)
			subject := row.Group == report.GroupFocus && mode == report.ReportCallGraph
			if row.Name == "b" && !subject {
				t.Errorf("mode %d: got a row of the hidden zone", mode)
			}
		}
		if !strings.Contains(r.Title, "1 hidden") {
			t.Errorf("mode %d: got the title %q; want it to say that 1 zone is hidden", mode, r.Title)
		}
	}
	for _, series := range s.AppendTopSeries(nil, 10, 8, -1) {
		if series.Name == "b" {
			t.Error("got a series of the hidden zone")
		}
	}
	v := report.View{Mode: report.ReportHierarchicalTime, Average: report.AverageInstant}
	if got := value(s, v, "a", report.ColumnHier); got != 6 {
		t.Errorf("its caller: got %v ms; want 6", got)
	}
	for id := range report.ZoneID(1000) {
		s.SetHidden(id, true)
	}
	if n := s.ShowHidden(); n != 256 || len(s.View().Get().Hidden) != 0 {
		t.Errorf("ShowHidden: got %d, then %d hidden; want 256, 0", n, len(s.View().Get().Hidden))
	}
}

func ExampleSession_SetHidden() {
	s := process.NewSession()
	_ = s.WriteFrame(tree(0, []string{"step", "vsync"}, "step 2 1\nvsync 14 1\n"))
	s.SetHidden(2, true)
	var r report.Report
	s.View().AppendReport(&r)
	for line := range r.Len() {
		row, _ := r.Line(line)
		fmt.Println(row.Name)
	}
	// Output:
	// step
	// (root)
}
