//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"reflect"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// The commands of a panel act on its own view. The view of another panel of the session stays.
func TestCommandsActOnThePanelsView(t *testing.T) {
	s := process.NewSession()
	program := world.NewGame(1, s)
	for range 60 {
		must.Do(t, program.Step())
	}
	views := []*process.View{s.View(), process.NewView(s)}
	panels := []*viewer.Panel{viewer.PanelFor(s), viewer.NewPanel(views[1])}
	for i, p := range panels {
		mine, other := views[i], views[1-i]
		moves := 0
		for _, c := range p.Commands() {
			for _, v := range views {
				v.Set(report.View{Mode: report.ReportHierarchicalTime, Average: report.AverageLong})
				v.SetCursor(1)
			}
			before, own := other.Get(), mine.Get()
			p.Run(c.Name)
			if got := other.Get(); !reflect.DeepEqual(got, before) {
				t.Errorf("panel %d, %s: got the other view %+v; want %+v", i, c.Name, got, before)
			}
			if !reflect.DeepEqual(mine.Get(), own) {
				moves++
			}
		}
		if moves < 20 {
			t.Errorf("panel %d: got %d commands that change its view; want at least 20", i, moves)
		}
	}
}

// A second window of a program has a panel and a view of its own.
func ExampleNewPanel() {
	s := process.NewSession()
	second := process.NewView(s)
	viewer.NewPanel(second).Run("calltree")
	fmt.Println(second.Get().Mode == report.ReportCallTree, s.View().Get().Mode == report.ReportCallTree)
	// Output: true false
}
