//go:build linux || darwin || freebsd || openbsd || netbsd || dragonfly || solaris

package platform

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime returns the processor time of the process since its start: of all threads, in the program and in the system.
// It is 0 if the system does not report it. A call takes some hundred nanoseconds. Any goroutine may call it.
func CPUTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
