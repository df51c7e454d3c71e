package capture_test

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// callColumns are those of single calls that both sessions must agree on.
var callColumns = []report.Column{report.ColumnCallsCounted, report.ColumnCallMin,
	report.ColumnCallMax, report.ColumnCallDeviation, report.ColumnCallP50, report.ColumnCallP90,
	report.ColumnCallP99, report.ColumnCallP999}

// callRow returns the values of a zone's calls in a session.
func callRow(t *testing.T, s *process.Session, zone string, mode report.ReportMode) (row []float64) {
	t.Helper()
	r := report.Report{Want: report.AllColumns}
	s.View().AppendReportOf(&r, report.View{Mode: mode})
	for i := range r.Records {
		if v := &r.Records[i]; v.Name == zone {
			for _, c := range callColumns {
				row = append(row, v.Values[c])
			}
			return row
		}
	}
	t.Fatalf("no row %q", zone)
	return nil
}

// p50, p99 and the rest of a zone that counts its calls, and of one whose calls only events show, are the same in the
// program, its recording, its stream and the file of its black box.
func TestCallsOfALiveProgram(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	synctest.Test(t, callsOfALiveProgram)
}

// streamWait is longer than a stream waits before it writes what has ended. The time is simulated: under load a stream
// drops frames.
const streamWait = 10 * time.Millisecond

func callsOfALiveProgram(t *testing.T) {
	now, step := int64(1000), int64(1)
	platform.SetClock(func() int64 { step = step*29%997 + 1; now += step; return now }, 1e6)
	defer platform.SetClock(nil, 0)
	gather.SetEvents(1 << 12)
	defer gather.SetEvents(0)
	s := process.Default()
	counted, shown := gather.Zone{Name: "counted by the file"}, gather.Zone{Name: "shown by events"}
	counted.SetPerCall(true)
	defer counted.SetPerCall(false)
	s.Update() // events are on from here
	var file, stream bytes.Buffer
	recording, live := capture.RecordTo(s, &file), capture.StreamTo(s, &stream)
	dir := t.TempDir()
	box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, OverBudget: -1, After: -1,
		Log: io.Discard}))(t)
	for i := range 20 {
		for range 10 {
			o := counted.Begin()
			shown.Begin().End()
			o.End()
		}
		if i == 19 {
			box.Trigger("the end")
		}
		s.Update()
		time.Sleep(streamWait)
	}
	want := callRow(t, s, "counted by the file", report.ReportHierarchicalTime)
	wantShown := callRow(t, s, "shown by events", report.ReportHierarchicalTime)
	if want[0] < 199 || wantShown[0] < 199 {
		t.Fatalf("the program counts %v and %v calls; want 200", want[0], wantShown[0])
	}
	for _, c := range []io.Closer{recording, live, box} {
		must.Do(t, c.Close())
	}
	if n := live.Dropped(); n > 0 {
		t.Fatalf("the stream dropped %d frames; want none", n)
	}
	sameCalls(t, dir, []*bytes.Buffer{&file, &stream}, want, wantShown)
}

// sameCalls checks the captures and the black box's file.
func sameCalls(t *testing.T, dir string, files []*bytes.Buffer, want, wantShown []float64) {
	t.Helper()
	written, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	check := func(name string, read *process.Session) {
		t.Helper()
		for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallTree} {
			sameRow(t, name, callRow(t, read, "counted by the file", mode), want)
			sameRow(t, name, callRow(t, read, "shown by events", mode), wantShown)
		}
	}
	boxed, _ := must.Two(capture.Open(written[0]))(t)
	check("black box", boxed)
	for i, b := range files {
		read := process.NewSession()
		if _, err := framefile.Load(read, b); err != nil {
			t.Fatal(err)
		}
		check([]string{"recording", "stream"}[i], read)
	}
}

func sameRow(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if d := got[i] - want[i]; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: got column %d of calls %v; want %v", name, callColumns[i], got, want)
			return
		}
	}
}
