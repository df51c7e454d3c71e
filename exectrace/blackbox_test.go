package exectrace_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The file of a black box has the states by itself: no command has to be run on it.
func TestABlackBoxHasTheStates(t *testing.T) {
	gather.SetEvents(1024)
	defer gather.SetEvents(0)
	g := newGame(t)
	g.session.SetFrameBudget(time.Millisecond)
	defer g.session.SetFrameBudget(time.Second / 60)
	dir := t.TempDir()
	box := must.Get(g.watch.BlackBox(capture.BlackBoxOptions{Dir: dir, After: -1, OverBudget: -1, Log: io.Discard}))(t)
	g.frame(func() {})
	box.Trigger("slept")
	g.frame(func() { time.Sleep(50 * time.Millisecond) })
	must.Do(t, box.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || !strings.HasSuffix(files[0], "slept.iprof") {
		t.Fatalf("got files %v; want one", files)
	}
	in := must.Get(os.Open(files[0]))(t)
	defer in.Close()
	s := process.NewSession()
	if _, err := framefile.Load(s, in); err != nil {
		t.Fatal(err)
	}
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	s.View().AppendReport(&r)
	for _, rec := range r.Records {
		if rec.Name != "work" {
			continue
		}
		if got := rec.Values[report.ColumnWaiting]; got < 45 || got > rec.Values[report.ColumnHier] {
			t.Errorf("got %v ms waiting of %v; want the sleep of 50", got, rec.Values[report.ColumnHier])
		}
		if len(rec.States) == 0 || rec.States[0].Reason != "sleep" {
			t.Errorf("got %v; want the sleep first", rec.States)
		}
		return
	}
	t.Errorf("got %v; want a row of work", r.Records)
}
