//go:build aix || darwin || dragonfly || freebsd || netbsd || openbsd || solaris

package console

import (
	"time"

	"golang.org/x/sys/unix"
)

// interrupt does to the process what Ctrl+C would have done. The signal may be another thread's to handle, which is given some
// time, lest this one ends the program as if nothing were.
func (t *terminal) interrupt() {
	if unix.Kill(unix.Getpid(), unix.SIGINT) == nil {
		time.Sleep(200 * time.Millisecond)
	}
}
