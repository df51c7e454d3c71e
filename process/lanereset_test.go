package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A report of one lane with statistics that is made after Reset, before the next frame, has no history to look at.
func TestStatisticsOfALaneAfterReset(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	s := process.Default()
	defer s.View().Set(s.View().Get())
	defer s.Reset()
	zone := gather.Zone{Name: "work before the reset"}
	for range 5 {
		zone.Begin().End()
		s.Update()
	}
	lanes := s.View().AppendLanes(nil)
	s.View().SetLane(lanes[0].ID)
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallTree} {
		s.View().SetReportMode(mode)
		zone.Begin().End()
		s.Reset()
		r := report.Report{Want: report.ColumnsOf(report.ColumnP50, report.ColumnP99Self)}
		s.View().AppendReport(&r)
		zone.Begin().End()
		s.View().AppendReport(&r)
		s.Update()
		s.View().AppendReport(&r)
	}
}
