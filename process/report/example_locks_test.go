package report_test

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A session keeps the waits for locks of package wait without a trace.
func ExampleDump_Locks() {
	s := process.NewSession()
	_ = s.WriteFrame(&gather.Frame{End: 100, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", End: 100, Nodes: []gather.Node{{Parent: -1, Self: 100}}}},
		States: []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Begin: 20, End: 60, Reason: "lock scores",
			By: "main.load", At: "load.go:7"}}})
	d := s.Dump(report.DumpOptions{})
	for _, k := range d.Locks() {
		fmt.Printf("%s waited %.0f ms for %s, released by %s at %s\n", k.Waiter, k.Time, k.Name, k.Holder, k.At)
	}
	fmt.Println("of package sync, too:", d.Traced)
	// Output:
	// main waited 40 ms for lock scores, released by main.load at load.go:7
	// of package sync, too: false
}
