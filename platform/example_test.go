package platform_test

import (
	"fmt"
	"sync/atomic"
	"time"

	"example.com/iprof/platform"
)

// cycles is a board's counter: 32 bits, 600 million a second.
var cycles atomic.Uint32

var last atomic.Uint64 // the count, with the times it has wrapped around above the counter's bits

// extended is the counter with 64 bits; it must be called at least twice a turn.
func extended() int64 {
	for {
		before := last.Load()
		after := before + uint64(cycles.Load()-uint32(before))
		if after-before > 1<<31 { // another goroutine has read the counter later and stored first
			return int64(before)
		}
		if last.CompareAndSwap(before, after) {
			return int64(after)
		}
	}
}

// A port to a machine whose counter wraps around every seven seconds.
func ExampleSetClock() {
	platform.SetClock(extended, 600e6)
	defer platform.SetClock(nil, 0)
	begin := platform.Now()
	for range 10 {
		cycles.Add(600e6) // a second passes
		platform.Now()
	}
	fmt.Printf("%.0f s\n", float64(platform.Now()-begin)/platform.TicksPerSecond())
	// Output: 10 s
}

// A benchmark compares the two clocks of a machine.
func ExampleUseCounter() {
	defer platform.SetClock(nil, 0)
	platform.UseCounter(false)
	fmt.Printf("Go's clock counts nanoseconds: %v\n", platform.TicksPerSecond() == 1e9)
	// Output:
	// Go's clock counts nanoseconds: true
}

// A program asks twice in a second what it lost to others.
func ExampleLossMeter_Read() {
	var m platform.LossMeter
	m.Read()
	lost := m.Read()
	fmt.Println(lost.Stolen < time.Second && lost.Throttled < time.Minute)
	// Output: true
}
