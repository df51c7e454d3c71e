package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// A choice of columns for a question is one command, and Ctrl+Z takes it back.
func TestColumnsForAQuestion(t *testing.T) {
	for name, want := range map[string]report.Column{"time": report.ColumnP99, "calls": report.ColumnHierPerCall,
		"memory": report.ColumnHeapBytes, "waiting": report.ColumnWaiting} {
		t.Run(name, func(t *testing.T) {
			p := panelOf(newDemo(), viewer.PanelFull)
			p.Run("columns")
			laidOut(p, 1280, 720)
			button := viewer.Hit{Kind: hit.Command, Name: "columns-" + name, Zone: -1, Path: -1}
			if _, ok := scan(p, 1280, 720)[button]; !ok {
				t.Error("the chooser has no button for it")
			}
			viewer.Press(p, button)
			if p.Run(button.Name); !slices.Contains(p.Options().Columns, want) || p.State().MenuOpen {
				t.Errorf("got columns %v; want %v among them", p.Options().Columns, want)
			}
			laidOut(p, 1280, 720)
			head := viewer.Hit{Kind: hit.Header, Index: int(want), Zone: -1, Path: -1}
			if _, ok := scan(p, 1280, 720)[head]; !ok {
				t.Error("the table has no such heading")
			}
			if p.Run("back"); len(p.Options().Columns) != 0 {
				t.Errorf("back: got %v; want the usual ones", p.Options().Columns)
			}
		})
	}
}
