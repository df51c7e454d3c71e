//go:build !iprof_off

package api_test

import (
	"strings"
	"sync"
	"testing"

	"example.com/iprof"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The tests of this file are of defects of the original program. Package process has the rest.

// row returns a zone's record of the newest frame.
func row(name string) (found report.Record, ok bool) {
	var r report.Report
	process.Default().View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	for _, rec := range r.Records {
		if rec.Name == name {
			return rec, true
		}
	}
	return found, false
}

// It knew no threads: a second one corrupted the tree.
func TestEveryGoroutineIsMeasured(t *testing.T) {
	iprof.Update()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				fourth()
			}
		})
	}
	for range 20 {
		iprof.Update()
	}
	wg.Wait()
	iprof.Update()
	total := 0.0
	s := process.Default()
	for _, n := range s.AppendTotals(nil) {
		if s.Zone(n.Zone).Name == "fourth" {
			total += n.Count
		}
	}
	if total != 8000 {
		t.Errorf("got %v entries; want 8000", total)
	}
}

func fourth() { defer iprof.Begin("fourth").End() }

// An End too many crashed, an End too few filled the memory.
func TestUnbalancedEndsAreRepairedAndSaid(t *testing.T) {
	s := iprof.Begin("ended twice")
	s.End()
	s.End()
	func() {
		defer iprof.Begin("outer").End()
		iprof.Begin("never ended")
	}()
	iprof.Update()
	var r report.Report
	process.Default().View().AppendReport(&r)
	said := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"End too many", "never ended"} {
		if !strings.Contains(said, want) {
			t.Errorf("got warnings %q; want %q in them", said, want)
		}
	}
}

// The 513th zone overran an array.
func TestThousandsOfZones(t *testing.T) {
	for i := range zones {
		for range zones[i].Span {
		}
	}
	many := make([]iprof.Zone, 2000)
	for i := range many {
		many[i].Name = "one of many"
		many[i].Begin().End()
	}
	iprof.Update()
	var r report.Report
	process.Default().View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	seen := 0
	for _, rec := range r.Records {
		if rec.Name == "one of many" && rec.Values[report.ColumnCount] == 1 {
			seen++
		}
	}
	if seen != len(many) {
		t.Errorf("got %d rows; want %d", seen, len(many))
	}
}

// The cost of its update was shown a frame late.
func TestUpdateIsInTheFrameItOpens(t *testing.T) {
	iprof.Update()
	iprof.Update()
	rec, ok := row("iprof update")
	if !ok || rec.Values[report.ColumnCount] != 1 || rec.Values[report.ColumnSelf] <= 0 {
		t.Errorf("got %v, %+v; want one entry and its time", ok, rec.Values[:3])
	}
}

// Measuring could not be switched off while the program ran.
func TestRecordingCanBeSwitchedOff(t *testing.T) {
	iprof.SetRecording(false)
	func() { defer iprof.Begin("while off").End() }()
	iprof.SetRecording(true)
	func() { defer iprof.Begin("while on").End() }()
	iprof.Update()
	if _, ok := row("while off"); ok {
		t.Error("a zone was measured while recording was off")
	}
	if _, ok := row("while on"); !ok {
		t.Error("no zone was measured after recording was switched on again")
	}
}
