package report_test

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

func ExampleAppendDepth() {
	fmt.Println(string(report.AppendDepth([]byte("walk"), 3)))
	fmt.Println(string(report.AppendDepth([]byte("walk"), gather.MaxRecursion)))
	// Output:
	// walk (3)
	// walk (128+)
}
