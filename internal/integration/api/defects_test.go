//go:build !iprof_off

package api_test

import (
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The tests of this file are of defects of the original program. Package process has the rest.

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
	for _, want := range []string{"too many", "never ended"} {
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
	if seen := rowsNamed("one of many"); len(seen) != len(many) {
		t.Errorf("got %d rows; want %d", len(seen), len(many))
	}
}

// The cost of its update was shown a frame late.
func TestUpdateIsInTheFrameItOpens(t *testing.T) {
	iprof.Update()
	iprof.Update()
	rows := rowsNamed("iprof update")
	if len(rows) != 1 || rows[0].Values[report.ColumnCount] != 1 || rows[0].Values[report.ColumnSelf] <= 0 {
		t.Errorf("got %+v; want one row with one entry and its time", rows)
	}
}
