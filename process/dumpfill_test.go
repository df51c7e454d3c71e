package process

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// frozen is a source of dumps that stands still.
type frozen struct{ history []report.FrameSummary }

func (f frozen) dumpTotals(report.DumpOptions) totals.Sums {
	nodes := []report.TreeNode{{Parent: -1, Self: 1, Hier: 3}, {Zone: 1, Level: 1, Count: 40, Self: 2, Hier: 2}}
	return totals.Sums{RunTime: time.Second, Overhead: 2 * time.Microsecond, Frames: 60, Merged: nodes,
		Totals: []report.ZoneTotal{{Count: 79}, {Count: 1}},
		Lanes:  []report.LaneTree{{Name: "main", Nodes: nodes}, {Name: "worker", Nodes: nodes}}}
}
func (f frozen) dumpHistory(frames int) []report.FrameSummary { return f.history }
func (f frozen) dumpSeries(frames, zones int) []report.Series {
	return []report.Series{{Values: make([]float32, frames)}}
}
func (f frozen) dumpValues(frames int) []report.ValueSeries { return nil }
func (f frozen) dumpTree(age int, _ *report.DumpOptions) report.FrameTree {
	if age == 3 {
		return report.FrameTree{} // gone
	}
	return report.FrameTree{Nodes: []report.TreeNode{{Parent: -1, Self: float64(age)}}}
}
func (f frozen) dumpTimeline(uint64, int) (t report.FrameTimeline) { return t }
func (f frozen) dumpVerdict() report.Verdict                       { return report.Verdict{} }
func (f frozen) dumpMarks() []report.FrameMark                     { return nil }
func (f frozen) dumpSections() []report.Section                    { return nil }
func (f frozen) dumpView(*report.Dump)                             {}

func TestFillDump(t *testing.T) {
	s := frozen{make([]report.FrameSummary, 100)}
	for i := range s.history {
		s.history[i] = report.FrameSummary{Index: uint64(500 + i), Busy: float32(i % 50), HasReport: i > 10}
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	d := fillDump(s, report.DumpOptions{}, now)
	if d.Calls != 80 || d.Overhead != 2*time.Microsecond || d.Time != now || d.Frames != 60 {
		t.Errorf("got %d calls, overhead %v, time %v, %d frames; want 80, 2µs, %v, 60", d.Calls, d.Overhead, d.Time,
			d.Frames, now)
	}
	if d.Arguments != nil {
		t.Errorf("got arguments %q; want none unless asked for", d.Arguments)
	}
	if got := len(d.Series[0].Values); got != 100 {
		t.Errorf("got a series of %d values; want 100", got)
	}
	for _, tree := range d.FrameTrees {
		if age := tree.Nodes[0].Self; tree.Index != uint64(599-int(age)) {
			t.Errorf("got frame %d for the tree of age %v; want %v", tree.Index, age, 599-age)
		}
	}
	for _, c := range []struct {
		o    report.DumpOptions
		want int
	}{{report.DumpOptions{NoFrames: true}, 0},
		{report.DumpOptions{AllFrames: true}, 88}} { // 89 have a report, one is gone
		t.Run(fmt.Sprint("all=", c.o.AllFrames), func(t *testing.T) {
			if got := len(fillDump(s, c.o, now).FrameTrees); got != c.want {
				t.Errorf("%+v: got %d trees; want %d", c.o, got, c.want)
			}
		})
	}
	if got := fillDump(s, report.DumpOptions{Arguments: true}, now).Arguments; len(got) != len(os.Args)-1 {
		t.Errorf("got arguments %q; want %q", got, os.Args[1:])
	}
}

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
