package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// rowTimes returns the times with callees of the rows of a view in each frame since the row's first, the oldest first.
func rowTimes(s *process.Session, v report.View, frames int) map[string][]float64 {
	times := map[string][]float64{}
	for age := frames - 1; age >= 0; age-- {
		v.Age = age
		var r report.Report
		s.View().AppendReportOf(&r, v)
		for name := range times {
			times[name] = append(times[name], 0)
		}
		for i := range r.Records {
			rec := &r.Records[i]
			name := rowName(&v, rec)
			if times[name] == nil && rec.Values[report.ColumnHier] == 0 && rec.Values[report.ColumnCount] == 0 {
				continue // the focus of a call graph has a row before it was entered
			}
			if times[name] == nil {
				times[name] = []float64{0}
			}
			times[name][len(times[name])-1] = rec.Values[report.ColumnHier]
		}
	}
	return times
}

// rowName identifies a row in the reports of a view. A zone that has not recursed yet has depth 0 in place of 1.
func rowName(v *report.View, r *report.Record) string {
	if v.Mode == report.ReportCallTree {
		return fmt.Sprint(r.Path)
	}
	if v.Recursion == report.RecursionSpread {
		return fmt.Sprint(r.Zone, r.Group, max(r.Depth, 1))
	}
	return fmt.Sprint(r.Zone, r.Group)
}

// partViews are views whose rows sum some paths: depths of recursion, what is below a pinned path, callers, callees.
var partViews = []report.View{
	{Mode: report.ReportHierarchicalTime, Recursion: report.RecursionSpread},
	{Mode: report.ReportHierarchicalTime, Pin: []report.ZoneID{1}},
	{Mode: report.ReportSelfTime, Pin: []report.ZoneID{1, 2}, Recursion: report.RecursionSpread},
	{Mode: report.ReportCallGraph, Focus: 2, Recursion: report.RecursionSpread},
	{Mode: report.ReportCallTree, Pin: []report.ZoneID{1}},
	{Mode: report.ReportCallGraphDescendants, Focus: 1, Recursion: report.RecursionSpread},
	{Mode: report.ReportCallGraph, Focus: 2, Pin: []report.ZoneID{1}},
	{Mode: report.ReportCallGraph, Focus: 1, Pin: []report.ZoneID{1, 2}, Recursion: report.RecursionSpread},
	{Mode: report.ReportCallGraphDescendants, Focus: 1, Pin: []report.ZoneID{2}},
	{Mode: report.ReportCallGraph, Focus: 1}, // all zones call themselves and each other
	{Mode: report.ReportCallGraph, Focus: 3, Lane: 2},
	{Mode: report.ReportCallGraphDescendants, Focus: 2},
}

// Rows that sum some paths have mean, max and quantiles of the times that they show in each frame. The oracle asks for
// the report of each frame.
func TestRowsOfSomePathsHaveStatistics(t *testing.T) {
	checked, pinned := 0, 0
	for seed := range uint64(40) {
		s, p := process.NewSession(), newProgram(seed, 2, 3)
		const frames = 25
		for range frames {
			for range 40 {
				p.step()
			}
			write(t, s, p.end())
		}
		for _, v := range partViews {
			v.Average = report.AverageInstant
			times := rowTimes(s, v, frames)
			r := report.Report{Want: report.ColumnsOf(report.ColumnP50, report.ColumnP99)}
			s.View().AppendReportOf(&r, v)
			for i := range r.Records {
				rec := &r.Records[i]
				of := times[rowName(&v, rec)]
				if rec.Zone == 0 && rec.Group == report.GroupFocus {
					continue
				}
				checked++
				graph := len(v.Pin) > 0 &&
					(v.Mode == report.ReportCallGraph || v.Mode == report.ReportCallGraphDescendants)
				if graph {
					pinned++
				}
				for !hasTimes(rec, of) && (graph || v.Lane != 0) && len(of) < frames {
					of = append(of, 0) // its path had no time yet: entered in the last tick, or on another lane
				}
				if !hasTimes(rec, of) {
					t.Fatalf("seed %d, view %+v, %s (%d): got mean %v, max %v, p50 %v; want those of %v", seed, v,
						rec.Name, rec.Depth, rec.Values[report.ColumnMean], rec.Values[report.ColumnMax],
						rec.Values[report.ColumnP50], of)
				}
			}
		}
	}
	if checked < 1000 || pinned < 200 {
		t.Errorf("got %d rows, %d of pinned call graphs; want many", checked, pinned)
	}
}

// Rows of hundreds of paths have statistics, too, as long as they do not hold up the report.
func TestRowsOfManyPathsHaveStatistics(t *testing.T) {
	const tops, mids, frames = 120, 60, 300
	s, names, text := process.NewSession(), []string{"leaf"}, strings.Builder{}
	for i := range tops {
		names = append(names, fmt.Sprint("top", i))
		fmt.Fprintf(&text, "top%d 0 1\n", i)
		for j := range mids {
			fmt.Fprintf(&text, "  mid%d 0 1\n    leaf %d 1\n", j, j+1)
		}
	}
	for j := range mids {
		names = append(names, fmt.Sprint("mid", j))
	}
	f := tree(0, names, text.String())
	for range frames {
		write(t, s, f)
		f.Index++
		f.Begin, f.End = f.End, f.End+f.End-f.Begin
	}
	r := report.Report{Want: report.ColumnsOf(report.ColumnP50)}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 1, Average: report.AverageInstant})
	with := 0
	for i := range r.Records {
		if rec := &r.Records[i]; rec.Group == report.GroupParent && rec.Mask.Has(report.ColumnP50) {
			if with++; !close1(rec.Values[report.ColumnP50], rec.Values[report.ColumnHier]) {
				t.Errorf("%s: got %v; want %v", rec.Name, rec.Values[report.ColumnP50], rec.Values[report.ColumnHier])
			}
		}
	}
	if with < mids*9/10 || with == mids {
		t.Errorf("got statistics in %d of %d rows; want them in most, with a bound", with, mids)
	}
}

// hasTimes reports whether a row has the mean, max and median of the times, which it sorts.
func hasTimes(r *report.Record, times []float64) bool {
	if len(times) == 0 || !r.Mask.Has(report.ColumnMean) || !r.Mask.Has(report.ColumnP50) {
		return false
	}
	slices.Sort(times)
	sum := 0.0
	for _, ms := range times {
		sum += ms
	}
	return close1(r.Values[report.ColumnMean], sum/float64(len(times))) &&
		close1(r.Values[report.ColumnMax], times[len(times)-1]) &&
		close1(r.Values[report.ColumnP50], times[(len(times)+1)/2-1])
}
