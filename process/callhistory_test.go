package process_test

import (
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Callers and callees have mean, greatest and quantiles of the times that their rows show: on behalf of the focus.
func TestCallersAndCalleesHaveMeanAndMax(t *testing.T) {
	s := process.NewSession()
	for i := range 10 {
		text := "a 1 1\n  b 2 1\n    x 3 1\n  x 4 1\nc 1 1\n  x 50 1"
		if i == 4 {
			text = strings.Replace(text, "x 3", "x 13", 1)
		}
		must.Do(t, s.WriteFrame(tree(uint64(i), []string{"a", "b", "c", "x"}, text)))
	}
	s.View().SetAverage(report.AverageInstant)
	v := s.View().Get()
	for _, mode := range []report.ReportMode{report.ReportCallGraph, report.ReportCallGraphDescendants} {
		v.Mode, v.Focus = mode, 1
		s.View().Set(v)
		r := report.Report{Want: report.ColumnsOf(report.ColumnP50, report.ColumnP99)}
		s.View().AppendReport(&r)
		of := strings.Contains(r.Title, "descendants of a ")
		if of != (mode == report.ReportCallGraphDescendants) {
			t.Errorf("got title %q", r.Title)
		}
		want := map[string][2]float64{"b": {6, 15}, "x": {4, 4}, "(root)": {11, 20}}
		medians := map[string]float64{"b": 5, "x": 4, "(root)": 10}
		if mode == report.ReportCallGraphDescendants {
			want["x"], medians["x"] = [2]float64{8, 17}, 7
		}
		for _, row := range r.Records {
			w, known := want[row.Name]
			if got := row.Values[report.ColumnP50]; known &&
				(!row.Mask.Has(report.ColumnP50) || !close1(got, medians[row.Name])) {
				t.Errorf("mode %d, %s: got median %v; want %v", mode, row.Name, got, medians[row.Name])
			}
			if got := row.Values[report.ColumnP99]; known && !close1(got, w[1]) {
				t.Errorf("mode %d, %s: got p99 %v; want %v", mode, row.Name, got, w[1])
			}
			mean := row.Values[report.ColumnMean]
			most := row.Values[report.ColumnMax]
			if known &&
				(!row.Mask.Has(report.ColumnMean) || !close1(mean, w[0]) || !close1(most, w[1])) {
				t.Errorf("mode %d, %s: got mean %v, max %v; want %v", mode, row.Name, mean, most, w)
			}
		}
	}
}
