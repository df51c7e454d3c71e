//go:build aix || darwin || dragonfly || freebsd || netbsd || openbsd || solaris

package console

import (
	"time"

	"golang.org/x/sys/unix"
)

// interrupt sends the process the signal of Ctrl+C. Another thread may handle the signal. interrupt waits for it,
// because the caller might otherwise end the program normally first.
func (t *terminal) interrupt() {
	if unix.Kill(unix.Getpid(), unix.SIGINT) == nil {
		time.Sleep(200 * time.Millisecond)
	}
}
