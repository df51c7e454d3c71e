//go:build cgo && unix && !iprof_off

package iprofc_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/iprofc"
	"example.com/iprof/iprofc/internal/ccode"
)

// printPaths ends a frame, and prints its paths with their numbers of calls.
func printPaths() {
	var f gather.Frame
	gather.Collect(&f)
	measure.Complete(&f, true)
	all := pathsOf(&f, "")
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if path != "" {
			fmt.Println(path, all[path].count)
		}
	}
}

func ExampleCall() {
	gather.Collect(new(gather.Frame))
	iprofc.Call(func() { ccode.Nested(time.Millisecond) }) // C code that enters outer, and inner three times inside
	printPaths()
	// Output:
	// outer 1
	// outer/inner 3
}

func ExampleCallback() {
	gather.Collect(new(gather.Frame))
	exported := func() { // the Go side of an exported function
		iprofc.Callback(func() { defer around.Begin().End() })
	}
	iprofc.Call(func() { ccode.Calls(exported) }) // C code that calls it inside the zone back
	printPaths()
	// Output:
	// back 1
	// back/around 1
}

func ExampleCollect() {
	gather.Collect(new(gather.Frame))
	ccode.OnThread(2) // a thread of C that does the work of ExampleCall twice
	iprofc.Collect()
	printPaths()
	// Output:
	// outer 2
	// outer/inner 6
}
