package report_test

import (
	"fmt"

	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
)

func ExampleAppendDepth() {
	fmt.Println(string(report.AppendDepth([]byte("walk"), 3)))
	fmt.Println(string(report.AppendDepth([]byte("walk"), measure.MaxRecursion)))
	// Output:
	// walk (3)
	// walk (128+)
}
