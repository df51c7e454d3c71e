package report_test

import (
	"fmt"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

func ExampleCause_Absent() {
	decode := report.Cause{Kind: report.CauseWorker, Path: 4, Name: "decode", Lane: "loader", Time: 35, Excess: 35}
	join := report.Cause{Kind: report.CauseLonger, Path: 2, Name: "join", Time: 36, Usual: 1, Often: 1, Excess: 35}
	v := report.Verdict{Index: 59, Frames: 1, Excess: 35, Causes: []report.Cause{join, decode}}
	for i := range v.Causes {
		fmt.Println(v.Causes[i].Name, v.Causes[i].Absent())
	}
	fmt.Println(v.String())
	// Output:
	// join false
	// decode true
	// Frame 59: +35.0 ms. join 36.0 (usually 1.0); meanwhile loader was in decode for 35.0 (usually not called).
}

func ExampleVerdict_EndedBy() {
	wait := report.Cause{Kind: report.CauseState, Lane: "worker 7", State: gather.LaneState{Kind: gather.StateWaiting,
		Reason: "chan receive", At: "main.go:104"}, Time: 35}
	work := report.Cause{Kind: report.CauseWorker, Path: 4, Name: "pathfind", Lane: "worker 7", Time: 36, Usual: 4}
	join := report.Cause{Kind: report.CauseLonger, Path: 2, Name: "join", Time: 36, Usual: 1, Often: 1, Excess: 35}
	v := report.Verdict{Index: 59, Frames: 1, Excess: 35, Causes: []report.Cause{join, wait, work}}
	fmt.Println(v.EndedBy(0) == nil, v.EndedBy(1).Name)
	fmt.Println(strings.ReplaceAll(v.String(), "; ", ";\n"))
	// Output:
	// true pathfind
	// Frame 59: +35.0 ms. join 36.0 (usually 1.0);
	// it waited for chan receive for 35.0 (usually not);
	// worker 7 was in pathfind for 36.0 (usually 4.0), then ended it at main.go:104.
}
