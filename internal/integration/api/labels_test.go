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
