package process_test

import (
	"fmt"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// TestChargesOfANodeWithoutTime charges a zone in a frame in which it has neither time nor entries: on a coarse clock a
// lane that ends leaves such nodes.
func TestChargesOfANodeWithoutTime(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, chargeNames, "draw 1 1\n  parse 1 1\n  load 1 1\n"))
	write(t, s, charge(tree(1, chargeNames, "draw 1 1\n  parse 1 1\n  load 0 0\n"), "load", 1, 100, 0, 0, 500, 0, 0))
	columns := []report.Column{report.ColumnAllocs, report.ColumnAllocBytes, report.ColumnUnits}
	want := []float64{1, 100, 500}
	for _, view := range []report.View{instant,
		{Average: report.AverageInstant, Recursion: report.RecursionSpread},
		with(instant, report.ReportCallTree, 0),
		with(instant, report.ReportCallGraph, 3),
		{Average: report.AverageInstant, Lane: 1},
	} {
		t.Run(fmt.Sprint(view), func(t *testing.T) {
			group := report.GroupFocus
			if view.Mode == report.ReportCallGraph {
				group = report.GroupChild
			}
			if got := cells(s, view, "load", group, columns...); !equalCells(got, want) {
				t.Errorf("got %v; want %v", got, want)
			}
		})
	}
	merged := s.Dump(report.DumpOptions{}).Merged
	units := 0.0
	for _, n := range merged {
		units += n.Charges.Units
	}
	if units != 500 {
		t.Errorf("dump: got %v units; want 500", units)
	}
}
