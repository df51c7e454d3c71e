package process

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/process/report"
)

func TestPickFrames(t *testing.T) {
	busy := []float32{5, 9, 1, 8, 2, 3, 4}
	history := make([]report.FrameSummary, len(busy))
	for i := range busy {
		history[i] = report.FrameSummary{Busy: busy[i], HasReport: i != 3}
	}
	for n, want := range map[int][]int{
		-1: {6, 5, 4, 2, 1, 0}, // all with a report, oldest first
		0:  {},
		1:  {5, 0}, // the slowest, 9 ms, and the newest
		2:  {6, 5, 1, 0},
		3:  {6, 5, 2, 1, 0}, // the third slowest, 4 ms, is among the newest
		9:  {6, 5, 4, 2, 1, 0},
	} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := report.PickFrames(history, n); !slices.Equal(got, want) {
				t.Errorf("PickFrames(%d): got ages %v; want %v", n, got, want)
			}
		})
	}
}

func TestZoneTotalsCountRecursionOnce(t *testing.T) {
	nodes := []report.TreeNode{ // root > a > b > a, root > a again
		{Zone: 0, Parent: -1, Level: 0, Self: 1, Hier: 16},
		{Zone: 1, Parent: 0, Level: 1, Self: 2, Hier: 10, Count: 1},
		{Zone: 2, Parent: 1, Level: 2, Self: 3, Hier: 8, Count: 2, Idle: true},
		{Zone: 1, Parent: 2, Level: 3, Self: 5, Hier: 5, Count: 4, Open: true},
		{Zone: 1, Parent: 0, Level: 1, Self: 5, Hier: 5, Count: 8},
	}
	want := []report.ZoneTotal{
		{Zone: 1, Count: 13, Self: 12, Hier: 15, Open: true},
		{Zone: 2, Count: 2, Self: 3, Hier: 8, Idle: true},
		{Zone: 0, Self: 1, Hier: 16},
	}
	kept := report.ZoneTotal{Zone: 9}
	got := report.AppendZoneTotals([]report.ZoneTotal{kept}, nodes)
	if !slices.Equal(got, append([]report.ZoneTotal{kept}, want...)) {
		t.Errorf("got %+v; want %+v after the one that was there", got, want)
	}
}
