package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The original program has eighteen known defects. The tests of this file show that this one does not have them. The
// others are in packages draw and viewer, and in internal/integration/api; check.sh builds for other systems.

// A caller of a recursive zone lost most of the time on its behalf.
func TestCallersOfRecursiveZonesLoseNothing(t *testing.T) {
	s := process.NewSession()
	var text strings.Builder
	text.WriteString("caller 0 1\n  A 7 1\n")
	for depth := range 13 {
		text.WriteString(strings.Repeat("  ", depth+1) + "R 1 1\n")
	}
	write(t, s, tree(0, []string{"caller", "A", "R"}, text.String()))
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 1})
	expect(t, &r,
		line{plus, "(root)", 0, 20, 1},
		line{minus, "caller", 0, 20, 1},
		line{plus, "R", 13, 13, 1},
		line{none, "A", 7, 7, 1})
}

// The recursive zone's own rows showed its parent's numbers.
func TestRecursiveZonesShowTheirOwnNumbers(t *testing.T) {
	var r report.Report
	recursion(t).View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 2})
	for _, rec := range r.Records {
		if rec.Group == report.GroupParent && rec.Name == "R" && rec.Values[report.ColumnHier] != 12 {
			t.Errorf("got %v on behalf of R itself; want 12", rec.Values[report.ColumnHier])
		}
	}
}

// Spread recursion was a setting that nothing read.
func TestSpreadRecursionIsShown(t *testing.T) {
	s := recursion(t)
	s.View().SetRecursion(report.RecursionSpread)
	s.View().SetReportMode(report.ReportHierarchicalTime)
	var r report.Report
	s.View().AppendReport(&r)
	depths := map[int]float64{}
	for _, rec := range r.Records {
		if rec.Name == "R" {
			depths[rec.Depth] = rec.Values[report.ColumnHier]
		}
	}
	for depth := 1; depth <= 13; depth++ {
		if depths[depth] != float64(14-depth) {
			t.Errorf("R(%d): got %v; want %d", depth, depths[depth], 14-depth)
		}
	}
}

// Deep recursion took quadratic time; here it must at least be exact. Its cost is BenchmarkDeep.
func TestDeepRecursionIsExact(t *testing.T) {
	const depth = 16_000
	s := process.NewSession()
	write(t, s, deep(depth))
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 1})
	expect(t, &r,
		line{plus, "(root)", 1, 1, 1},
		line{plus, "R", depth - 1, depth - 1, depth - 1},
		line{minus, "R", depth, depth, depth})
	if nodes := s.View().AppendTree(nil, report.View{}); len(nodes) != depth+1 || nodes[depth].Level != depth {
		t.Errorf("tree: got %d nodes; want %d in one line", len(nodes), depth+1)
	}
}

// deep is a frame with a zone in itself so many times, 1 ms each.
func deep(depth int) *gather.Frame {
	f := &gather.Frame{TicksPerSecond: 1000, End: platform.Ticks(depth),
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "R"}}}
	nodes := []gather.Node{{Parent: -1}}
	for i := range depth {
		nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: 1, Parent: int32(i), Depth: int32(i),
			Count: 1, Self: 1})
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, End: f.End, Nodes: nodes}}
	return f
}

func BenchmarkDeep(b *testing.B) {
	for _, depth := range []int{1000, 4000, 16_000} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			s, f := process.NewSession(), deep(depth)
			for range b.N {
				must.Do(b, s.WriteFrame(f))
				s.View().Info()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(depth), "ns/node")
		})
	}
}

// A zone first seen late crept up from 0, at full heat.
func TestLateZonesAreRightFromTheirFirstFrame(t *testing.T) {
	s := process.NewSession()
	for i := range 100 {
		write(t, s, tree(uint64(i), []string{"a", "late"}, "a 16 1\n"))
	}
	for i := range 3 {
		steady(t, s, 100+i, 1, 2, "late")
		var r report.Report
		s.View().AppendReportOf(&r, report.View{})
		for _, rec := range r.Records {
			if rec.Name == "late" && (math.Abs(rec.Values[report.ColumnSelf]-2) > 1e-9 ||
				math.Abs(rec.Values[report.ColumnCount]-2) > 1e-9 || rec.Heat > 1e-6) {
				t.Errorf("frame %d of it: got self %v, count %v, heat %v; want 2, 2, 0", i+1,
					rec.Values[report.ColumnSelf], rec.Values[report.ColumnCount], rec.Heat)
			}
		}
	}
}

// The average frame time started at a millisecond that was not measured.
func TestFrameTimeStartsAtTheFirstFrame(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"a"}, "a 0.03 1\n"))
	if i := s.View().Info(); math.Abs(i.Length-0.03) > 1e-9 {
		t.Errorf("got %v ms; want 0.03", i.Length)
	}
}

// Old frames were shown under the newest frame's time, and values from before a zone existed were whatever lay in
// memory.
func TestOldFramesShowTheirOwnTime(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"a", "late"}, "a 5 1\n"))
	write(t, s, tree(1, []string{"a", "late"}, "a 7 1\nlate 1 1\n"))
	s.View().SetFrame(1)
	var r report.Report
	s.View().AppendReport(&r)
	if !strings.HasPrefix(r.Title, "5.000 ms  200.00 fps") || !strings.Contains(r.Title, "1 frame ago") {
		t.Errorf("got title %q; want the old frame's 5.000 ms, 200 fps, 1 frame ago", r.Title)
	}
	history := s.AppendZoneHistory(nil, 2, 10)
	if len(history) != 2 || !math.IsNaN(float64(history[0])) || history[1] != 1 {
		t.Errorf("got %v; want nothing known, then 1", history)
	}
}

// A scope open across frames was credited to the frame it ended in, its entry to the one it began in.
func TestOpenZonesAreCreditedToEachFrame(t *testing.T) {
	s := process.NewSession()
	for i := range 3 {
		f := tree(uint64(i), []string{"long"}, "long 10 0\n")
		f.Lanes[0].Nodes[1].Open = true
		write(t, s, f)
	}
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	expect(t, &r, line{none, "long", 10, 10, 0}, line{plus, "(root)", 0, 10, 0})
	if !r.Records[0].Open {
		t.Error("the row is not marked as open")
	}
}

// Heat came from the difference of two large sums, and call paths were taken to vary together.
func TestHeatIsOfTheZoneAndSurvivesLargeValues(t *testing.T) {
	s := process.NewSession()
	for i := range 200 {
		x := float64(3 + 2*(i%2))
		write(t, s, tree(uint64(i), []string{"a", "b", "z", "big"},
			fmt.Sprintf("a 1 1\n  z %g 1\nb 1 1\n  z %g 1\nbig 1000000.001 1\n", x, 8-x)))
	}
	var r report.Report
	s.View().AppendReport(&r)
	for _, rec := range r.Records {
		if (rec.Name == "z" || rec.Name == "big") && rec.Heat > 1e-3 {
			t.Errorf("%s, which never changes: got heat %v; want 0", rec.Name, rec.Heat)
		}
	}
}

// Each frame's times hung on one noisy reading of the clock's rate, and nothing said so.
func TestAnUnsteadyClockIsSaid(t *testing.T) {
	s := process.NewSession()
	for i := range 50 {
		f := tree(uint64(i), []string{"a"}, "a 16 1\n")
		f.TicksPerSecond *= 1 + 0.3*float64(i%2)
		write(t, s, f)
	}
	var r report.Report
	s.View().AppendReport(&r)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "unsteady") {
		t.Errorf("got %q; want the clock's rate called unsteady", r.Warnings)
	}
}

// Selecting a recursive zone put the cursor on its row among the parents; a zone without data left the list empty.
func TestSelectPutsTheCursorOnTheZone(t *testing.T) {
	s := recursion(t)
	s.View().SetReportMode(report.ReportHierarchicalTime)
	var r report.Report
	s.View().AppendReport(&r)
	for i, rec := range r.Records {
		if rec.Name == "R" {
			s.View().SetCursor(i)
		}
	}
	s.View().Select()
	s.View().AppendReport(&r)
	if rec := r.Records[r.Cursor]; rec.Sign != minus || rec.Name != "R" {
		t.Errorf("the cursor is on %q, mark %d; want R, opened", rec.Name, rec.Sign)
	}
	write(t, s, tree(1, []string{"caller", "R"}, "caller 1 1\n"))
	s.View().SetAverage(report.AverageInstant)
	s.View().AppendReport(&r)
	expect(t, &r, line{minus, "R", 0, 0, 0})
}
