package console

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// interrupt sends the process the signal of Ctrl+C. It sends the signal to this thread, so the signal has taken effect
// when the call returns. Another thread might handle a signal to the process so late that this thread has ended the
// program normally.
func (t *terminal) interrupt() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unix.Tgkill(unix.Getpid(), unix.Gettid(), unix.SIGINT)
}
