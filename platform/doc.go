// Package platform reads the clock and finds the calling goroutine's lane: all that differs from machine to machine.
//
//	begin := platform.Now()
//	work()
//	seconds := float64(platform.Now()-begin) / platform.TicksPerSecond()
//
// Three things have a version per processor, in assembly on amd64 and arm64 and in Go elsewhere or with the tag purego:
//
//   - The clock. On amd64 the time stamp counter, if the processor says that it is invariant and (on Linux) the kernel
//     itself keeps time by it; on arm64 the virtual counter CNTVCT_EL0. Elsewhere, and where the counter fails the test,
//     time.Since. It is read unserialised: for statistics the order of a few instructions does not matter, and the
//     serialising forms cost half as much again.
//   - The goroutine. Its id lies at some offset in the runtime's own record of it, which the first use finds out by
//     looking, in goroutines whose ids are known from runtime.Stack. Where that fails, runtime.Stack is asked each
//     time: slow, but right. Nothing is linked by name from the runtime.
//   - Enter, EnterCaller and Leave, which put both together in one small leaf for the hot path of package gather.
//
// # A port
//
// To port to another machine is to give it a clock; all else has its version in Go. With a counter of 64 bits it is one line.
// This is all of it for a board whose counter of cycles has 32 bits and wraps around every seven seconds:
//
//	package board
//
//	import (
//		"sync/atomic"
//
//		"example.com/iprof/platform"
//	)
//
//	var last atomic.Uint64 // the count, with the times it has wrapped around above the counter's bits
//
//	// now extends the counter. It must be called at least twice a turn, as Update does.
//	func now() int64 {
//		for {
//			before := last.Load()
//			after := before + uint64(readCycles()-uint32(before))
//			if after-before > 1<<31 { // another goroutine has read the counter later and stored first
//				return int64(before)
//			}
//			if last.CompareAndSwap(before, after) {
//				return int64(after)
//			}
//		}
//	}
//
//	// UseCycles makes the profiler run by the board's counter. Call it first of all in main.
//	func UseCycles() { platform.SetClock(now, 600e6) }
//
// A machine that is worth the work can have its own assembly besides: counter_arm64.go and enter_arm64.s, together under two
// hundred lines, are the example; TestTwinsAgree compares it with its version in Go.
package platform
