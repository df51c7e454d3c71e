package process

import (
	"math"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// estimatedFrame has a zone whose self time of 40 of 100 ms is estimated, with a standard error of 3 ms, inside
// another.
func estimatedFrame() *gather.Frame {
	return &gather.Frame{
		End: 100, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "frame"}, {Name: "tiny"}},
		ScopeCost: totals.CostFraction / 10, CountCost: totals.CostFraction / 20, OverheadLimit: 0.02,
		Lanes: []gather.LaneFrame{{
			ID: 1, Updater: true, End: 100, Untimed: 60,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Self: 60, Count: 1},
				{ID: 2, Zone: 2, Parent: 1, Self: 40, Count: 79, Estimated: gather.EstimatedTime}},
			Extras: []gather.NodeExtra{{Node: 1, Variance: 9}, {Node: 2, Variance: 9, Estimated: gather.EstimatedTime}},
		}},
	}
}

func TestEstimatesAreMarked(t *testing.T) {
	s := NewSession()
	for range 2 {
		must.Do(t, s.WriteFrame(estimatedFrame()))
	}
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportHierarchicalTime,
		report.ReportCallTree} {
		v := report.View{Mode: mode, Focus: 2, Average: report.AverageInstant}
		var r report.Report
		s.View().AppendReportOf(&r, v)
		for _, rec := range r.Records {
			want := gather.EstimatedNone
			if rec.Name == "tiny" {
				want = gather.EstimatedTime
			}
			if rec.Estimated != want || rec.Name != "(root)" && math.Abs(rec.StandardError-3) > 1e-9 {
				t.Errorf("mode %d, %s: got %v, error %v ms; want %v, 3 ms", mode, rec.Name, rec.Estimated,
					rec.StandardError, want)
			}
			if rec.Name == "tiny" && rec.Costly {
				t.Errorf("mode %d: got tiny marked as costly; want it not, as it is governed", mode)
			}
		}
	}
	totals := s.AppendTotals(nil)
	tiny := totals[len(totals)-1]
	if got := math.Sqrt(18); tiny.Estimated != gather.EstimatedTime || math.Abs(tiny.StandardError-got) > 1e-9 {
		t.Errorf("totals: got %v, error %v ms; want the two frames' together, %v", tiny.Estimated, tiny.StandardError,
			got)
	}
}

func TestSeriesOfEstimatesAreMarked(t *testing.T) {
	s := NewSession()
	f := estimatedFrame()
	tiny, extra := &f.Lanes[0].Nodes[2], &f.Lanes[0].Extras[1]
	write := func(frames int, e gather.Estimated) {
		for range frames {
			tiny.Estimated, extra.Estimated = e, e
			must.Do(t, s.WriteFrame(f))
		}
	}
	check := func(frames int, want gather.Estimated) {
		t.Helper()
		for _, v := range append(s.AppendSeries(nil, frames), s.AppendTopSeries(nil, frames, 3, -1)...) {
			want := want
			if v.Name != "tiny" {
				want = gather.EstimatedNone
			}
			if v.Estimated != want {
				t.Errorf("%s: got %v in %d frames; want %v", v.Name, v.Estimated, frames, want)
			}
		}
	}
	write(3, gather.EstimatedNone)
	check(10, gather.EstimatedNone)
	write(1, 200) // a replay may say anything
	write(1, gather.EstimatedTime)
	write(4, gather.EstimatedNone)
	check(4, gather.EstimatedNone)
	check(5, gather.EstimatedTime)
	s.SetHistory(6, 6)
	check(6, gather.EstimatedTime)
	s.SetHistory(4, 4)
	check(4, gather.EstimatedNone)
	s.Reset()
	write(2, gather.EstimatedNone)
	check(5, gather.EstimatedNone)
}

func TestMissedOverheadLimitIsTold(t *testing.T) {
	s := NewSession()
	f := estimatedFrame()
	_ = s.WriteFrame(f)
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	if math.Abs(r.Frame.Overhead-0.05) > 1e-3 { // 80 entries of 0.1 ticks, 60 of them half of that
		t.Errorf("overhead: got %v; want 0.05", r.Frame.Overhead)
	}
	if got := strings.Join(r.Warnings, "\n"); !strings.Contains(got,
		"limit 2 % missed: measuring costs 5.0 % of the frame") {
		t.Errorf("warnings: got %q; want the limit missed", got)
	}
	f.Lanes[0].ScopeCost, f.Lanes[0].CountCost = totals.CostFraction/5, totals.CostFraction/10
	_ = s.WriteFrame(f)
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	if math.Abs(r.Frame.Overhead-0.10) > 1e-3 { // 20 timed and 60 counted ones at twice as much
		t.Errorf("overhead as found in place: got %v; want 0.10", r.Frame.Overhead)
	}
	if got := s.Dump(report.DumpOptions{}).Overhead.Seconds(); math.Abs(got-0.015) > 3e-4 {
		t.Errorf("overhead of all frames: got %v s; want 0.015", got)
	}
	f.OverheadLimit = 0.11
	_ = s.WriteFrame(f)
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	if got := strings.Join(r.Warnings, "\n"); strings.Contains(got, "missed") {
		t.Errorf("warnings: got %q; want the limit kept", got)
	}
}
