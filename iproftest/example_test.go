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
func (printed) Logf(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}

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

// A neighbour takes the processor for 20 of 23 ms in each tenth frame. The budget holds all the same. Clock and
// readings are replaced so that the example prints the same everywhere.
func ExampleResult_Disturbed() {
	now, delay := int64(0), time.Duration(0)
	platform.SetClock(func() int64 { return now }, 1000) // ticks of a ms
	defer platform.SetClock(nil, 0)
	platform.SetRunDelay(func(int) (int, time.Duration, bool) { return 1, delay, true })
	defer platform.SetRunDelay(nil)
	physics, frame := gather.Zone{Name: "physics"}, 0
	r := iproftest.Run(printed{}, 100, func() {
		defer physics.Begin().End()
		if now += 3; frame%10 == 9 {
			now, delay = now+20, delay+20*time.Millisecond
		}
		frame++
	},
		iproftest.Budget("physics", iproftest.Max, 3*time.Millisecond))
	fmt.Println(r.Disturbed())
	// Output:
	// iproftest: 10 of 100 frames were disturbed: the machine gave the processor to other programs
	// 10
}
