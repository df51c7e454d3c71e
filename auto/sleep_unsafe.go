//go:build linux && !go1.27

package auto

import (
	"syscall"
	"time"
	"unsafe"
)

// A timer would open the files of Go's poller. A program that uses none sees which numbers its own files get, and may
// close all others: the runtime ends a program whose poller was closed. So sleep is a call of the system, like those of
// package syscall, but for that the processor is handed on at once: entersyscall leaves that to the runtime's monitor,
// which takes up to 20 ms. Both functions are kept for others that use them so. Checked with Go 1.25 and 1.26; later
// versions take a timer. TestTheProgramStaysItself in internal/instrument notices when that changes.

//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// sleep waits without a timer. A signal may end it early.
func sleep(d time.Duration) {
	left := syscall.NsecToTimespec(int64(max(d, 0)))
	nanosleep(&left)
}

// nanosleep must not grow the stack between the two calls, nor be seen by the race detector there.
//
//go:nosplit
//go:norace
//go:noinline
func nanosleep(left *syscall.Timespec) {
	entersyscallblock()
	_, _, _ = syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(left)), 0, 0)
	exitsyscall()
}
