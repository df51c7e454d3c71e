package html_test

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// drawnGame has a frame with a drawn verdict: a zone that took longer, and a wait that another goroutine ended.
func drawnGame() *report.Dump {
	d := sampledump.Game()
	t := &d.FrameTrees[treeOf(d, d.Verdict.Index)]
	v := &t.Verdict
	v.Usual, v.Excess = 16, v.Time-16
	c := v.Causes[0]
	v.Causes = append(v.Causes, report.Cause{Kind: report.CauseState, Path: c.Path, Zone: c.Zone, Name: c.Name,
		Time: 12.5, Usual: -1, Lane: "loader </script>", State: gather.LaneState{Kind: gather.StateWaiting,
			Reason: "lock world", At: "main.go:36"}})
	t.Parts = []report.Part{
		{Zone: c.Zone, Path: c.Path, Cause: 1, Time: v.Time - 12, Usual: 4, Count: 30, Often: 3},
		{Zone: c.Zone + 1, Path: c.Path + 1, Time: 9, Usual: 9},
		{Path: report.RestPath, Time: 3, Usual: 3}}
	d.Verdict = *v
	return d
}

// treeOf returns the index of a frame in FrameTrees.
func treeOf(d *report.Dump, frame uint64) int {
	return slices.IndexFunc(d.FrameTrees, func(t report.FrameTree) bool { return t.Index == frame })
}
