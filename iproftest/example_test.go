//go:build !iprof_off

package iproftest_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/iproftest"
	"example.com/iprof/platform"
)

// printed stands for the test in this example. It prints what fails.
type printed struct{ testing.TB }

func (printed) Helper()           {}
func (printed) Error(args ...any) { fmt.Println(args...) }
func (printed) Skip(...any)       {}

// A test gives its t, and the clock is the machine's. Here the clock is replaced so that the example prints the same
// everywhere.
func ExampleRun() {
	now := int64(0)
	platform.SetClock(func() int64 { return now }, 1000) // ticks of a ms
	defer platform.SetClock(nil, 0)
	physics := gather.Zone{Name: "physics"}
	iproftest.Run(printed{}, 100, func() {
		defer physics.Begin().End()
		now += 3
	},
		iproftest.Budget("physics", iproftest.P99, 2*time.Millisecond),
		iproftest.Calls("physics", 1))
	// Output: iproftest: "physics": p99 of 100 frames is 3ms; its budget is 2ms
}
