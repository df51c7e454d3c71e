//go:build !iprof_off

package api_test

import (
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

var (
	counted = iprof.Zone{Name: "counted calls"}
	plain   = iprof.Zone{Name: "calls not counted"}
)

// rowOf is the newest frame's record of a zone with everything that can be asked for.
func rowOf(t *testing.T, name string) *report.Record {
	t.Helper()
	r := report.Report{Want: report.AllColumns}
	process.Default().View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	for i := range r.Records {
		if r.Records[i].Name == name {
			return &r.Records[i]
		}
	}
	t.Fatalf("got no row %q", name)
	return nil
}

func enterBoth(times int) {
	for range times {
		counted.Begin().End()
		plain.Begin().End()
	}
	iprof.Update()
}

// accounted is how many calls the columns tell of.
func accounted(r *report.Record) float64 {
	return r.Values[report.ColumnCallsCounted] + r.Values[report.ColumnCallsMissing]
}

func TestColumnsOfSingleCalls(t *testing.T) {
	iprof.Reset()
	counted.SetPerCall(true)
	defer counted.SetPerCall(false)
	enterBoth(50)
	r := rowOf(t, "counted calls")
	v := &r.Values
	if accounted(r) != 50 || v[report.ColumnCallsMissing] > 1 {
		t.Errorf("got %v calls, %v missing; want 50, at most 1", v[report.ColumnCallsCounted],
			v[report.ColumnCallsMissing])
	}
	order := []report.Column{report.ColumnCallMin, report.ColumnCallP50, report.ColumnCallP90,
		report.ColumnCallP99, report.ColumnCallP999, report.ColumnCallMax}
	for i, c := range order {
		if !r.Mask.Has(c) || v[c] <= 0 || i > 0 && v[c] < v[order[i-1]] {
			t.Errorf("column %d: got %v, shown %v; want no less than %v", c, v[c], r.Mask.Has(c), v[order[max(i-1, 0)]])
		}
	}
	if rowOf(t, "calls not counted").Mask.Has(report.ColumnCallP50) {
		t.Error("got quantiles of calls that are not counted")
	}
	iprof.Reset()
	enterBoth(7)
	if got := accounted(rowOf(t, "counted calls")); got != 7 {
		t.Errorf("after Reset: got %v calls; want 7", got)
	}
}

func TestColumnsOfRecordedCalls(t *testing.T) {
	iprof.Reset()
	iprof.SetEvents(64)
	defer iprof.SetEvents(0)
	done := make(chan bool)
	go func() {
		defer close(done)
		lane := iprof.Register("events of calls")
		enterBoth(500)
		r := rowOf(t, "calls not counted")
		v := &r.Values
		if got := v[report.ColumnCallsCounted]; got < 1 || got > 32 || accounted(r) < 490 || accounted(r) > 500 {
			t.Errorf("got %v calls and %v overwritten; want some, of about 500", got, v[report.ColumnCallsMissing])
		}
		lane.Close()
	}()
	<-done
}

func TestDashWhereThereIsNoValue(t *testing.T) {
	iprof.Reset()
	enterBoth(3)
	iprof.Default().View().SetColumns(report.ColumnCallP99, report.ColumnCallsMissing, report.ColumnHier)
	defer iprof.Default().View().SetColumns()
	var b strings.Builder
	must.Do(t, iprof.WriteText(&b))
	if !strings.Contains(b.String(), "call p99") || !strings.Contains(b.String(), "-          -\n") {
		t.Errorf("got\n%s\nwant dashes below call p99", b.String())
	}
	b.Reset()
	r := report.Report{}
	process.Default().View().AppendReportOf(&r, report.View{})
	if err := text.WriteReport(&b, &r, text.Options{}); err != nil || strings.Contains(b.String(), "p99") {
		t.Errorf("got\n%s\nand %v; want the usual columns", b.String(), err)
	}
}
