//go:build linux

package samples

import (
	"syscall"
	"unsafe"
)

// stopTimer stops the timer of the process, which a program that this one executes in its place would inherit, and die
// of. What threads of Go do is sampled by a timer of each thread, which ends with it.
func stopTimer() {
	const ofProcessorTime = 2 // ITIMER_PROF
	var none [4]uintptr
	_, _, _ = syscall.RawSyscall(syscall.SYS_SETITIMER, ofProcessorTime, uintptr(unsafe.Pointer(&none)), 0)
}
