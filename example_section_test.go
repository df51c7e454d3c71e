//go:build !iprof_off

package iprof_test

import (
	"fmt"

	"example.com/iprof"
	"example.com/iprof/process"
)

// Sections divide a run into named ranges of frames, each with its own statistics.
func ExampleSection() {
	play := func(frames int) {
		for range frames {
			iprof.Begin("step").End()
			iprof.Update()
		}
	}
	iprof.Reset()
	iprof.Section("level 1")
	play(3)
	iprof.Section("level 2")
	play(5)
	iprof.Section("") // in no section from the next frame on

	var now process.Snapshot
	iprof.Default().View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	for _, s := range now.Overview.Sections {
		fmt.Println(s.Name, s.Frames, "frames, p99 below 5 s:", s.P99 < 5000)
	}
	// Output:
	// level 1 3 frames, p99 below 5 s: true
	// level 2 5 frames, p99 below 5 s: true
}
