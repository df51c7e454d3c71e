//go:build linux || darwin || freebsd || openbsd || dragonfly || solaris

package platform

import (
	"time"

	"golang.org/x/sys/unix"
)

// reference reads the machine's monotonic clock, in nanoseconds. It calls the system, because time.Now stands still
// in the bubbles of testing/synctest.
func reference() int64 {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return int64(time.Since(base))
	}
	return now.Nano()
}
