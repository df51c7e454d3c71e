// Package platform contains everything that depends on the machine: the clock, and the way from the calling goroutine
// to its lane.
//
//	begin := platform.Now()
//	work()
//	seconds := float64(platform.Now()-begin) / platform.TicksPerSecond()
//
// Three things have assembly versions for amd64 and arm64. Other processors, and builds with the tag purego, use
// versions in Go:
//
//   - The clock. On amd64 it is the time stamp counter, where the kernel serves
//     time from it, as on KVM, Hyper-V and most other virtual machines. Where the
//     kernel does not say, the counters of all processors are compared, once. On
//     arm64 it is the virtual counter CNTVCT_EL0. Elsewhere it is Go's own clock.
//     See UseCounter. The counter is read without serialising instructions. They
//     cost half as much again, and the order of a few instructions does not matter
//     to statistics.
//   - The goroutine. Its id lies at an offset in the runtime's own record of it.
//     The first use finds the offset by comparing records with the ids that
//     runtime.Stack prints. If that fails, every look-up calls runtime.Stack: slow,
//     but right. Only the runtime's clock is linked by name.
//   - Enter, EnterCaller and Leave, which combine both in one small leaf function
//     for the hot path of package gather.
//
// # A port
//
// A port to another machine needs a clock; everything else has a version in Go. With a 64-bit counter it is one line.
// This is a whole port for a board with a 32-bit cycle counter that wraps around every seven seconds:
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
// A machine that is worth the work can also have its own assembly. counter_arm64.go and enter_arm64.s are the
// example, with less than two hundred lines together. TestTwinsAgree compares it with the version in Go.
package platform
