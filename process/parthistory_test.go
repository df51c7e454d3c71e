package process_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/process"
)

// rowTimes returns the times with callees of the rows of a view in each frame since the row's first, the oldest first.
func rowTimes(s *process.Session, v process.View, frames int) map[string][]float64 {
	times := map[string][]float64{}
	for age := frames - 1; age >= 0; age-- {
		v.Age = age
		var r process.Report
		s.AppendReportOf(&r, v)
		for name := range times {
			times[name] = append(times[name], 0)
		}
		for i := range r.Records {
			rec := &r.Records[i]
			name := rowName(&v, rec)
			if times[name] == nil && rec.Values[process.ColumnHier] == 0 && rec.Values[process.ColumnCount] == 0 {
				continue // the focus of a call graph has a row before it was entered
			}
			if times[name] == nil {
				times[name] = []float64{0}
			}
			times[name][len(times[name])-1] = rec.Values[process.ColumnHier]
		}
	}
	return times
}

// rowName identifies a row in the reports of a view. A zone that has not recursed yet has depth 0 in place of 1.
func rowName(v *process.View, r *process.Record) string {
	if v.Mode == process.ReportCallTree {
		return fmt.Sprint(r.Path)
	}
	if v.Recursion == process.RecursionSpread {
		return fmt.Sprint(r.Zone, r.Group, max(r.Depth, 1))
	}
	return fmt.Sprint(r.Zone, r.Group)
}

// Rows of a spread report, and those below a pinned path, have mean, max and quantiles of the times that they show in
// each frame. The oracle asks for the report of each frame.
func TestSpreadAndPinnedRowsHaveStatistics(t *testing.T) {
	want := process.ColumnsOf(process.ColumnP50, process.ColumnP99)
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
		for _, v := range []process.View{
			{Mode: process.ReportHierarchicalTime, Recursion: process.RecursionSpread},
			{Mode: process.ReportHierarchicalTime, Pin: []process.ZoneID{1}},
			{Mode: process.ReportSelfTime, Pin: []process.ZoneID{1, 2}, Recursion: process.RecursionSpread},
			{Mode: process.ReportCallGraph, Focus: 2, Recursion: process.RecursionSpread},
			{Mode: process.ReportCallTree, Pin: []process.ZoneID{1}},
			{Mode: process.ReportCallGraphDescendants, Focus: 1, Recursion: process.RecursionSpread},
			{Mode: process.ReportCallGraph, Focus: 2, Pin: []process.ZoneID{1}},
			{Mode: process.ReportCallGraph, Focus: 1, Pin: []process.ZoneID{1, 2}, Recursion: process.RecursionSpread},
			{Mode: process.ReportCallGraphDescendants, Focus: 1, Pin: []process.ZoneID{2}},
		} {
			v.Average = process.AverageInstant
			times := rowTimes(s, v, frames)
			r := process.Report{Want: want}
			s.AppendReportOf(&r, v)
			for i := range r.Records {
				rec := &r.Records[i]
				of := times[rowName(&v, rec)]
				if !rec.Mask.Has(process.ColumnMean) || rec.Zone == 0 {
					continue
				}
				checked++
				graph := len(v.Pin) > 0 &&
					(v.Mode == process.ReportCallGraph || v.Mode == process.ReportCallGraphDescendants)
				if graph {
					pinned++
				}
				for !hasTimes(rec, of) && graph && len(of) < frames {
					of = append(of, 0) // the pinned path was entered in the last tick of a frame: the row had no time
				}
				if !hasTimes(rec, of) {
					t.Fatalf("seed %d, view %+v, %s (%d): got mean %v, max %v, p50 %v; want those of %v", seed, v,
						rec.Name, rec.Depth, rec.Values[process.ColumnMean], rec.Values[process.ColumnMax],
						rec.Values[process.ColumnP50], of)
				}
			}
		}
	}
	if pinned < 200 {
		t.Errorf("got statistics in %d rows of pinned call graphs; want some in most", pinned)
	}
	if checked < 1000 {
		t.Errorf("got statistics in %d rows; want some in most", checked)
	}
}

// hasTimes reports whether a row's mean, max and median are those of the times, which it sorts.
func hasTimes(r *process.Record, times []float64) bool {
	slices.Sort(times)
	sum := 0.0
	for _, ms := range times {
		sum += ms
	}
	return close1(r.Values[process.ColumnMean], sum/float64(len(times))) &&
		close1(r.Values[process.ColumnMax], times[len(times)-1]) &&
		close1(r.Values[process.ColumnP50], times[(len(times)+1)/2-1])
}
