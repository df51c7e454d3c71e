package text_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

func TestReportsHaveMarks(t *testing.T) {
	r := table()
	r.Frame.Index = 7
	r.Marks = []report.FrameMark{{Frame: 7, At: 3.214, Text: "level loaded"}, {Frame: 8, Text: "\x1b[2J\n"}}
	var out bytes.Buffer
	text.WriteReport(&out, r, text.Options{})
	want := "frame 7\nmark at 3.21 ms: level loaded\nmark in frame 8 at 0.00 ms: \\x1b[2J\\x0a\n\n"
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant first:\n%s", got, want)
	}
	for i := range 300 {
		r.Marks = append(r.Marks, report.FrameMark{Frame: 7, Text: fmt.Sprint(i)})
	}
	out.Reset()
	text.WriteReport(&out, r, text.Options{Width: 40})
	if n := strings.Count(out.String(), "mark "); n != 8 || !strings.Contains(out.String(), "and 294 more marks\n") {
		t.Errorf("got %d marks; want 8, and the number of the others:\n%s", n, &out)
	}
}

// Hostile texts are escaped in every line of a report, and read back from JSON as they were.
func TestMarksAreEscaped(t *testing.T) {
	d := small()
	d.Report = table()
	for _, name := range sampledump.HostileNames {
		m := report.FrameMark{Frame: 3, At: 1.5, Lane: 2, Text: name[:min(len(name), 1024)]}
		d.Marks, d.Report.Marks = append(d.Marks, m), []report.FrameMark{m}
		var out bytes.Buffer
		text.WriteReport(&out, d.Report, text.Options{})
		if n := strings.Count(out.String(), "\n"); n != 6 || strings.ContainsAny(out.String(), "\x1b\r\x00\x7f\u202e") {
			t.Errorf("mark %q: got %d lines:\n%q; want 6 without control characters", name, n, &out)
		}
	}
	var out bytes.Buffer
	must.Do(t, text.WriteJSON(&out, d))
	var got struct {
		Marks []struct {
			Frame uint64
			At    float64 `json:"at_ms"`
			Lane  uint64
			Text  string
		}
		Report struct{ Marks []any }
	}
	err := json.Unmarshal(out.Bytes(), &got)
	if err != nil || len(got.Marks) != len(d.Marks) || len(got.Report.Marks) != 1 {
		t.Fatalf("got %d marks and %d of the frame, error %v; want %d and 1", len(got.Marks), len(got.Report.Marks),
			err, len(d.Marks))
	}
	if m := got.Marks[0]; m.Frame != 3 || m.At != 1.5 || m.Lane != 2 || m.Text != d.Marks[0].Text {
		t.Errorf("got %+v; want %+v", m, d.Marks[0])
	}
}
