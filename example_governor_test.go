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

func ExampleZone_muted() {
	hot := iprof.Zone{Name: "hot"}
	hot.SetMuted(true) // or, of any row of a report: iprof.Default().SetMuted(record.Zone, true)
	defer hot.SetMuted(false)
}
