package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// waitingFrame has two zones that work and three that wait, one of them with a zone inside.
func waitingFrame() *gather.Frame {
	nodes := []gather.Node{{Parent: -1, Self: 1}, {ID: 1, Zone: 1, Parent: 0, Count: 1, Self: 30},
		{ID: 2, Zone: 2, Parent: 0, Count: 1, Self: 20}, {ID: 3, Zone: 3, Parent: 0, Count: 1, Self: 40},
		{ID: 4, Zone: 4, Parent: 0, Count: 1, Self: 60}, {ID: 5, Zone: 1, Parent: 4, Count: 1, Self: 5},
		{ID: 6, Zone: 3, Parent: 1, Count: 1, Self: 7}, {ID: 7, Zone: 4, Parent: 1, Count: 1, Self: 8},
		{ID: 8, Zone: 2, Parent: 1, Count: 1, Self: 2}}
	f := &gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}, {Name: "more"},
		{Name: "wait", Idle: true}, {Name: "sleep", Idle: true}}}
	for i := range nodes {
		f.End += nodes[i].Self
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, End: f.End, Nodes: nodes}}
	return f
}

// lineNames returns the names on the lines of a report, and the times with callees of the rows that wait.
func lineNames(r *report.Report) (names []string, idle float64) {
	for i := range r.Len() {
		row, _ := r.Line(i)
		names = append(names, row.Name)
		if p := r.Package(i); p != nil {
			names[i] = fmt.Sprintf("%s %d", row.Name, p.Rows)
			idle = row.Values[report.ColumnHier]
		}
	}
	return names, idle
}

func TestIdleRowsAreOneInEveryMode(t *testing.T) {
	s := process.NewSession()
	write(t, s, waitingFrame())
	for _, c := range []struct {
		mode  report.ReportMode
		want  []string
		waits float64
		all   int
	}{
		{report.ReportSelfTime, []string{"work", "more", "(root)", "waiting 2"}, 115, 5},
		{report.ReportHierarchicalTime, []string{"(root)", "work", "more", "waiting 2"}, 115, 5},
		{report.ReportCallTree, []string{"work", "more", "wait", "sleep", "more", "(root)", "waiting 2"}, 105, 9},
		{report.ReportCallGraph, []string{"sleep", "(root)", "work", "more", "waiting 2"}, 15, 6},
	} {
		t.Run(fmt.Sprint(c.mode), func(t *testing.T) {
			var r report.Report
			view := report.View{Mode: c.mode, Average: report.AverageInstant, Focus: 1}
			s.View().AppendReportOf(&r, view)
			before, _ := lineNames(&r)
			folded := r.IdleFolded()
			got, waits := lineNames(folded)
			slices.Sort(got[:len(got)-1]) // their order is the business of others
			want := slices.Clone(c.want)
			slices.Sort(want[:len(want)-1])
			if fmt.Sprint(got) != fmt.Sprint(want) || waits != c.waits {
				t.Errorf("got %q, %v ms; want %q, %v ms", got, waits, want, c.waits)
			}
			if after, _ := lineNames(&r); fmt.Sprint(after) != fmt.Sprint(before) || len(before) < len(got) {
				t.Errorf("the report itself: got %q; want %q", after, before)
			}
			view.ShowIdle = true
			s.View().AppendReportOf(&r, view)
			if again := r.IdleFolded(); again != &r {
				t.Error("ShowIdle: got the rows folded; want them all")
			}
		})
	}
}

func TestIdleEnd(t *testing.T) {
	s := process.NewSession()
	write(t, s, waitingFrame())
	for name, tree := range map[string][]report.TreeNode{"totals": s.AppendTotals(nil),
		"frame": s.View().AppendTree(nil, report.View{Average: report.AverageInstant})} {
		t.Run(name, func(t *testing.T) {
			from, zones, hier := report.IdleEnd(tree)
			if zones != 2 || hier != 105 || !tree[from].Idle || tree[from].Level != 1 || tree[from-1].Idle {
				t.Errorf("got %d zones of %v ms from %d; want 2 of 105 ms", zones, hier, from)
			}
		})
	}
	busy, idle, zones := report.FoldTotals(report.AppendZoneTotals(nil, s.AppendTotals(nil)))
	if zones != 2 || idle.Self != 115 || len(busy) != 3 || idle.Count != 4 {
		t.Errorf("got %d zones %+v, %d others; want 2 of 115 ms and 4 entries, 3 others", zones, idle, len(busy))
	}
}

// A warning points to the sign "!" only where a row in sight has it.
func TestWarningsPointToMarksInSight(t *testing.T) {
	for costly, want := range map[string]bool{"work": true, "sleep": false} {
		t.Run(costly, func(t *testing.T) {
			s := process.NewSession()
			f := waitingFrame()
			f.ScopeCost = 1024 // a tick
			for i := range f.Lanes[0].Nodes {
				if n := &f.Lanes[0].Nodes[i]; n.Parent == 0 && f.Zones[n.Zone].Name == costly {
					n.Count = 50
				}
			}
			write(t, s, f)
			var r report.Report
			s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
			folded, signs := r.IdleFolded(), 0
			for i := range folded.Len() {
				if row, _ := folded.Line(i); row.Costly {
					signs++
				}
			}
			points := strings.Contains(strings.Join(folded.Warnings, "\n"), report.SeeMarked)
			whole := strings.Contains(strings.Join(r.Warnings, "\n"), report.SeeMarked)
			if points != want || signs > 0 != want || !whole {
				t.Errorf("got %d signs, warnings %q, of the whole report %q", signs, folded.Warnings, r.Warnings)
			}
		})
	}
}
