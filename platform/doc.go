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
// A port to another clock needs SetClock only.
package platform
