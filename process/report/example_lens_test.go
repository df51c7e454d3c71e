package report_test

import (
	"fmt"

	"example.com/iprof/process/report"
)

func ExampleLens_Choose() {
	frames := []report.FrameSummary{{Index: 4, Busy: 9}, {Index: 5, Busy: 30}, {Index: 6, Busy: 7},
		{Index: 7, Busy: 21}}
	lens, err := report.ParseFrames("4-6,worst:2", nil)
	for _, f := range lens.Choose(frames) {
		fmt.Println(f.Index, f.Busy)
	}
	fmt.Println(err)
	// Output:
	// 4 9
	// 5 30
	// <nil>
}

func ExampleSortBySlowness() {
	frames := []report.FrameSummary{{Index: 4, Busy: 9}, {Index: 5, Busy: 30}, {Index: 6, Busy: 9}}
	report.SortBySlowness(frames)
	fmt.Println(frames[0].Index, frames[1].Index, frames[2].Index)
	// Output: 5 6 4
}
