package process_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// controls are all that a looker does with a view. The frames are those of lookedAt.
var controls = map[string]func(v *process.View){
	"columns":       func(v *process.View) { v.SetColumns(report.ColumnCount) },
	"baseline":      func(v *process.View) { v.PinBaseline() },
	"set":           func(v *process.View) { v.Set(report.View{Mode: report.ReportCallTree, Cursor: 2, Age: 3}) },
	"mode":          func(v *process.View) { v.SetReportMode(report.ReportCallGraph) },
	"average":       func(v *process.View) { v.SetAverage(report.AverageInstant) },
	"recursion":     func(v *process.View) { v.SetRecursion(report.RecursionSpread) },
	"lane":          func(v *process.View) { v.SetLane(1) },
	"pin":           func(v *process.View) { v.PinPath(1) },
	"frame":         func(v *process.View) { v.SetFrame(5) },
	"move frame":    func(v *process.View) { v.MoveFrame(-2) },
	"over budget":   func(v *process.View) { v.MoveToOverBudget(-1) },
	"cursor":        func(v *process.View) { v.SetCursor(2) },
	"cursor zone":   func(v *process.View) { v.SetCursorZone(3) },
	"move cursor":   func(v *process.View) { v.MoveCursor(1) },
	"select":        func(v *process.View) { v.SetCursor(1); v.Select() },
	"select parent": func(v *process.View) { v.SetCursor(1); v.SelectParent() },
	"arrange":       func(v *process.View) { v.Arrange(func(a *report.Arrangement) { a.Filter = "zone" }) },
	"lens":          func(v *process.View) { v.SetLens(report.Lens{Kind: report.LensOver}) },
	"show frame":    func(v *process.View) { v.ShowFrame(7) },
	"fold":          func(v *process.View) { v.SetReportMode(report.ReportCallTree); v.ToggleFold(0) },
	"report": func(v *process.View) {
		v.SetReportMode(report.ReportCallTree)
		v.AppendReport(new(report.Report))
	},
	"report of": func(v *process.View) {
		v.AppendReportOf(new(report.Report), report.View{Lane: 1, Lens: report.Lens{Kind: report.LensOver}})
	},
	"snapshot": func(v *process.View) {
		v.SetLens(report.Lens{Kind: report.LensSlowest, Slowest: 3})
		v.SetLane(1)
		v.Snapshot(new(process.Snapshot), everything)
	},
	"dump": func(v *process.View) { v.Dump(report.DumpOptions{}) },
}

// everything chooses all parts of a snapshot.
var everything = process.SnapshotOptions{Frames: 40, Series: 5, Also: -1, Past: report.Window{Frames: 40, Columns: 40},
	History: 20, Values: true, Lanes: true, Slowest: true, Overview: true, Around: true, Calls: true, Parts: true,
	Timeline: true, Columns: report.Statistics}

// lookedAt returns a session of 40 frames, some late, and two of its views with choices of their own.
func lookedAt(t *testing.T) (s *process.Session, views []*process.View) {
	t.Helper()
	s = bumpy(t)
	a, b := s.View(), process.NewView(s)
	a.SetReportMode(report.ReportHierarchicalTime)
	a.SetCursor(1)
	b.SetReportMode(report.ReportSelfTime)
	b.SetFrame(2)
	b.SetLane(1)
	b.SetCursor(2)
	return s, []*process.View{a, b}
}

// pictured returns what a view shows.
func pictured(v *process.View) (p *process.Snapshot) {
	p = new(process.Snapshot)
	v.Snapshot(p, everything)
	p.Generation = 0
	return p
}

// Nothing that one looker does with a view changes what another sees.
func TestLookersDoNotMoveOneAnother(t *testing.T) {
	for name, control := range controls {
		for i := range 2 {
			_, views := lookedAt(t)
			mine, other := views[i], views[1-i]
			chosen, before := other.Get(), pictured(other)
			control(mine)
			if got := other.Get(); !reflect.DeepEqual(got, chosen) {
				t.Errorf("%s, view %d: got the other view %+v; want %+v", name, i, got, chosen)
			}
			after := pictured(other)
			for k := range reflect.TypeFor[process.Snapshot]().NumField() {
				f := reflect.TypeFor[process.Snapshot]().Field(k)
				got, want := reflect.ValueOf(after).Elem().Field(k), reflect.ValueOf(before).Elem().Field(k)
				if f.IsExported() && fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, view %d: got %s of the other view\n%v\nwant\n%v", name, i, f.Name, got, want)
				}
			}
		}
	}
}

// Each view keeps its frame through a pause, and gets it back after a Reset that is undone.
func TestEachViewKeepsItsFrame(t *testing.T) {
	s, views := lookedAt(t)
	views[0].SetFrame(4)
	var before [2]uint64
	for i, v := range views {
		before[i] = v.Info().Index
	}
	if s.Reset(); views[0].Get().Age != 0 || views[1].Get().Age != 0 {
		t.Errorf("after Reset: got the ages %d and %d; want 0", views[0].Get().Age, views[1].Get().Age)
	}
	s.UndoReset()
	for i, v := range views {
		if got := v.Info().Index; got != before[i] {
			t.Errorf("view %d: got frame %d after UndoReset; want %d", i, got, before[i])
		}
	}
	other := bumpy(t)
	s.Adopt(other)
	for i, v := range views {
		var r report.Report
		if v.AppendReport(&r); !r.Chosen {
			t.Errorf("view %d: got no chosen record after Adopt; want the one of before", i)
		}
	}
}

// A session does not keep the views that are no longer reachable.
func TestViewsAreForgotten(t *testing.T) {
	s := bumpy(t)
	gone := make(chan bool, 1)
	func() {
		v := process.NewView(s)
		v.SetFrame(1)
		runtime.AddCleanup(v, func(gone chan bool) { gone <- true }, gone)
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			s.Reset() // meets a view that is gone
			return
		default:
			runtime.Gosched()
		}
	}
	t.Error("got a view that stays; want it forgotten")
}

// A second window and a page each look with a view of their own.
func ExampleNewView() {
	s := process.NewSession()
	page := process.NewView(s)
	page.SetReportMode(report.ReportCallTree)
	fmt.Println(page.Get().Mode == report.ReportCallTree, s.View().Get().Mode == report.ReportCallTree)
	// Output: true false
}
