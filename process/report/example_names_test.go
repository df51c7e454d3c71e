package report_test

import (
	"fmt"

	"example.com/iprof/process/report"
)

func ExampleNamePattern() {
	for _, lane := range []string{"worker 17", "conn 10.0.7.1:5000", "job 3fa9c0", "decode2", "loader"} {
		fmt.Println(report.NamePattern(lane))
	}
	// Output:
	// worker *
	// conn *.*.*.*:*
	// job *
	// decode*
	// loader
}
