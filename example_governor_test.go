//go:build !iprof_off

package iprof_test

import (
	"fmt"

	"example.com/iprof"
	"example.com/iprof/gather"
)

func ExampleSetOverheadLimit() {
	iprof.SetOverheadLimit(0.02) // measuring may take 2 % of each goroutine's time
	defer iprof.SetOverheadLimit(0)
	fmt.Println(gather.OverheadLimit())
	// Output: 0.02
}

// A limit of four times the default is for programs with many goroutines and many distinct stacks.
func ExampleSetLimits() {
	iprof.SetLimits(iprof.Limits{Bytes: 256 << 20})
	defer iprof.SetLimits(iprof.Limits{}) // the defaults
	fmt.Println(gather.MemoryUsed().Limit>>20, "MB")
	// Output: 256 MB
}

func ExampleZone_muted() {
	hot := iprof.Zone{Name: "hot"}
	hot.SetMuted(true) // or, of any row of a report: iprof.Default().SetMuted(record.Zone, true)
	defer hot.SetMuted(false)
}
