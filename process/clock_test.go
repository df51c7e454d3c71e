package process_test

import (
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestClockReplacedDuringTheRun measures by a clock of a thousand million ticks a second, and then by one of a
// thousand.
func TestClockReplacedDuringTheRun(t *testing.T) {
	now := int64(1 << 40)
	platform.SetClock(func() int64 { return now }, 1e9)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	s := process.NewSession()
	var f gather.Frame
	frames := func(ticks int64) {
		for range 3 {
			scope := replacedZone.Begin()
			now += ticks
			scope.End()
			gather.Collect(&f)
			write(t, s, &f)
		}
	}
	gather.Collect(&f)
	frames(1e9)
	now = 0
	platform.SetClock(func() int64 { return now }, 1000)
	gather.Collect(&f)
	frames(1000)
	d := s.Dump(report.DumpOptions{})
	if d.RunTime < 0 || d.RunTime > 7*time.Second {
		t.Errorf("run time: got %v; want at most 6 seconds", d.RunTime)
	}
	for _, n := range d.Merged {
		if n.Self < 0 || n.Hier > 7000 {
			t.Errorf("node: got %v ms, %v with what is inside; want at most 6000", n.Self, n.Hier)
		}
	}
	var r report.Report
	for _, average := range []report.Average{report.AverageInstant, report.AverageShort, report.AverageLong} {
		s.View().AppendReportOf(&r, report.View{Average: average})
		for _, rec := range r.Records {
			if ms := rec.Values[report.ColumnHier]; !(ms >= 0 && ms < 1001) {
				t.Errorf("%v, %s: got %v ms; want at most 1000", average, rec.Name, ms)
			}
		}
	}
}

var replacedZone = gather.Zone{Name: "replaced"}
