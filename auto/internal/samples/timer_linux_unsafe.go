//go:build linux

package samples

import (
	"syscall"
	"unsafe"
)

// stopTimer stops the timer of the process. A program that replaces this one by exec would inherit the timer and die of
// its signal. Threads of Go have separate timers, which end with the thread.
func stopTimer() {
	const ofProcessorTime = 2 // ITIMER_PROF
	var none [4]uintptr
	_, _, _ = syscall.RawSyscall(syscall.SYS_SETITIMER, ofProcessorTime, uintptr(unsafe.Pointer(&none)), 0)
}
