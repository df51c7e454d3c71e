//go:build !iprof_off

package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/console"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestTheLabelOfAFrameIsInEveryReport writes a frame with a label that is hostile to terminals.
func TestTheLabelOfAFrameIsInEveryReport(t *testing.T) {
	defer iprof.SetAverage(report.AverageShort)
	iprof.Reset()
	iprof.BeginFrame("level \x1b[2J")
	iprof.Begin("labelled").End()
	iprof.EndFrame()
	defer iprof.Update() // ends the gap, for other tests
	const want = `level \x1b[2J`
	write := func(to func(io.Writer) error) string {
		var b bytes.Buffer
		if err := to(&b); err != nil {
			t.Error(err)
		}
		return b.String()
	}
	const narrow = 80 // columns of a terminal, which cuts the line
	iprof.SetAverage(report.AverageLong)
	if title, _, _ := strings.Cut(write(iprof.WriteText), "\n"); !strings.Contains(title[:narrow], want) {
		t.Errorf("text: got the title %q; want %s in its first %d characters", title, want, narrow)
	}
	iprof.SetAverage(report.AverageInstant)
	var d struct {
		Report struct{ Label string }
	}
	if err := json.Unmarshal([]byte(write(iprof.WriteJSON)), &d); err != nil || d.Report.Label != "level \x1b[2J" {
		t.Errorf("JSON: got the label %q, error %v; want the label as it is", d.Report.Label, err)
	}
	answer := write(func(w io.Writer) error { return console.Command(process.Default(), w, "report") })
	if !strings.Contains(answer, want) {
		t.Errorf("command report: got %.80q; want %s in it", answer, want)
	}
}

// TestNothingPointsToASignThatIsNotThere has frames whose overhead is high and whose rows are not marked, and frames
// with a mark.
func TestNothingPointsToASignThatIsNotThere(t *testing.T) {
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallGraph, report.ReportCallTree} {
		iprof.SetReportMode(mode)
		for range 20 {
			iprof.Reset()
			for range 2 {
				iprof.Begin("labelled").End()
				iprof.Update()
			}
			var b strings.Builder
			iprof.WriteText(&b)
			head, rows, _ := strings.Cut(b.String(), "\n\n")
			points, marked := strings.Contains(head, "marked \"!\""), strings.Contains(rows, "!")
			if points && !marked {
				t.Errorf("mode %v: got\n%s\nwant no word of \"!\"", mode, b.String())
			}
		}
		var b strings.Builder
		iprof.WriteTree(&b)
		if strings.Contains(b.String(), "\"!\"") {
			t.Errorf("tree: got\n%s\nwant no word of \"!\", which trees do not have", b.String())
		}
	}
	iprof.SetReportMode(report.ReportSelfTime)
}

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

var zoneNested = iprof.Zone{Name: "nested"}

func nest(levels int) {
	defer zoneNested.Begin().End()
	if levels > 1 {
		nest(levels - 1)
	}
}

// The depth of a recursion stands behind the name. Measuring ends at a depth, and reports do not take it for the
// deepest one. All calls are counted.
func TestReportsNameTheDepthOfRecursion(t *testing.T) {
	for levels, want := range map[int]string{5: "nested (5)", 500: "nested (128+)"} {
		iprof.Update()
		iprof.Reset()
		nest(levels)
		iprof.Update()
		var b strings.Builder
		must.Do(t, iprof.WriteText(&b))
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d calls in one another: got\n%s\nwant %q", levels, b.String(), want)
		}
	}
}
