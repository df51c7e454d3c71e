package report_test

import (
	"fmt"

	"example.com/iprof/process/report"
)

// The zones that a comparison shows in colour.
func ExampleReport_MarkChanged() {
	r := report.Report{Records: []report.Record{
		{Zone: 1, Name: "update", Delta: report.Delta{Known: true, MS: 0.01, Noise: true}},
		{Zone: 2, Name: "pathfind", Delta: report.Delta{Known: true, MS: 16.4}},
		{Zone: 3, Name: "draw", Delta: report.Delta{Known: true, MS: -0.3}},
	}}
	changed := make([]bool, 4)
	r.MarkChanged(changed)
	for i := range r.Records {
		fmt.Println(r.Records[i].Name, changed[r.Records[i].Zone])
	}
	// Output:
	// update false
	// pathfind true
	// draw false
}
