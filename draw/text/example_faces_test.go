package text_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// small is a program that spent a second in three zones.
func small() *report.Dump {
	return &report.Dump{
		Program: "convert", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), GoVersion: "go1.25",
		Machine:        "linux/amd64, 2 cores",
		TicksPerSecond: 1e9, RunTime: time.Second, Calls: 41, Overhead: 1200,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load", Function: "main.load", File: "main.go", Line: 12},
			{Name: "decode", Function: "main.decode", File: "main.go", Line: 30}},
		Merged: []report.TreeNode{{Parent: -1, Hier: 1000, Self: 100},
			{Zone: 1, Parent: 0, Level: 1, Count: 1, Hier: 900, Self: 20},
			{Zone: 2, Parent: 1, Level: 2, Count: 40, Hier: 880, Self: 880}},
	}
}

// table is a frame's report, as process.Session.AppendReport makes it.
func table() *report.Report {
	record := func(name string, zone report.ZoneID, self, hier, count float64) report.Record {
		r := report.Record{Name: name, Zone: zone, Path: -1, Group: report.GroupFocus}
		for column, v := range map[report.Column]float64{report.ColumnSelf: self, report.ColumnHier: hier,
			report.ColumnCount: count} {
			r.Values[column] = v
			r.Mask = r.Mask.With(column)
		}
		return r
	}
	return &report.Report{Title: "frame 7", Columns: []report.Column{report.ColumnSelf, report.ColumnHier,
		report.ColumnCount},
		Records: []report.Record{record("decode", 2, 8.8, 8.8, 40), record("load", 1, 0.2, 9, 1)}}
}

func ExampleWriteReport() {
	text.WriteReport(os.Stdout, table(), text.Options{})
	// Output:
	// frame 7
	//
	//   zone                            self ms  with callees      calls
	//   decode                             8.80          8.80         40
	//   load                               0.20          9.00          1
}

func ExampleWriteTree() {
	text.WriteTree(os.Stdout, small(), text.Options{})
	// Output:
	// profile of convert
	// 2026-01-02T03:04:05Z  go1.25  linux/amd64, 2 cores
	// run time 1.000 s  calls 41  frames 0  goroutines 0  overhead 1.200 us (0.0%), error not known
	//
	// all goroutines
	//  with callees ms       %      self ms      calls  per call ms            ticks  zone
	//        1000.000  100.0%      100.000          0            -       1000000000  (root)
	//         900.000   90.0%       20.000          1      900.000        900000000  `- load
	//         880.000   88.0%      880.000         40       22.000        880000000     `- decode
	//
	// top zones by self time
	//      self ms       %  with callees ms      calls self/call ms       self ticks  zone
	//      880.000   88.0%          880.000         40       22.000        880000000  decode
	//      100.000   10.0%         1000.000          0            -        100000000  (root)
	//       20.000    2.0%          900.000          1       20.000         20000000  load
}

func ExampleWriteJSON() {
	var out bytes.Buffer
	text.WriteJSON(&out, small())
	var dump struct {
		Program string
		Calls   int
		Zones   []struct{ Name, Function string }
		Merged  []struct {
			Zone   int `json:"zone_id"`
			Count  float64
			HierMs float64 `json:"hier_ms"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &dump); err != nil {
		fmt.Println(err)
	}
	for _, node := range dump.Merged {
		fmt.Println(dump.Zones[node.Zone].Name, node.Count, node.HierMs)
	}
	// Output:
	// (root) 0 1000
	// load 1 900
	// decode 40 880
}

func ExampleWriteFrames() {
	d := small()
	d.Frames, d.Budget = 4, 10*time.Millisecond
	for i, ms := range []float32{4, 8, 30, 6} {
		d.History = append(d.History, report.FrameSummary{Index: uint64(i), Length: ms, Busy: ms, Over: ms > 10})
	}
	text.WriteFrames(os.Stdout, d)
	// Output:
	// 4 frames: median 6.000 ms, 99 % within 30.00 ms, slowest 30.00 ms; 1 over the budget of 10.00 ms
}

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
