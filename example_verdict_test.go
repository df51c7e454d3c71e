//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"os"
	"strings"

	"example.com/iprof"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// A hitch explains itself.
func ExampleWriteVerdict() {
	now := int64(0) // the time of a simulation, in ms, so that the frames have the same lengths on any machine
	platform.SetClock(func() int64 { return now }, 1000)
	defer platform.SetClock(nil, 0)
	iprof.Reset()
	iprof.Update()
	for range 10 {
		now++
		iprof.Update()
	}
	scope := iprof.Begin("load level")
	now += 80
	scope.End()
	iprof.Update()
	var line strings.Builder
	iprof.WriteVerdict(&line)
	fmt.Println(strings.Contains(line.String(), "load level"))
	// Output: true
}

// What a test can do: fail with the reason.
func ExampleDefault_verdictof() {
	iprof.Reset()
	iprof.Update()
	var v process.Verdict
	for range 20 {
		iprof.Begin("work").End()
		iprof.Update()
		if iprof.Default().VerdictOf(&v, 0) && v.Over {
			fmt.Fprintln(os.Stderr, v.String())
		}
	}
	fmt.Println("done")
	// Output: done
}
