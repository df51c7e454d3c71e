//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"strings"

	"example.com/iprof"
	"example.com/iprof/process"
)

// What this goroutine did in the last frame, in the order in which it did it.
func ExampleDefault_timeline() {
	iprof.SetEvents(1024)
	defer iprof.SetEvents(0)
	iprof.Begin("before").End() // lanes follow at their next zone
	iprof.Update()
	outer := iprof.Begin("outer")
	for range 2 {
		iprof.Begin("inner").End()
	}
	outer.End()
	iprof.Update()
	for _, s := range iprof.Default().AppendTimeline(nil, process.OwnLane, 0) {
		if name := iprof.Default().Zone(s.Zone).Name; name == "outer" || name == "inner" {
			fmt.Printf("%s%s %v\n", strings.Repeat("  ", int(s.Level)), name, s.Begin > 0 && s.End >= s.Begin)
		}
	}
	// Output:
	// outer true
	//   inner true
	//   inner true
}
