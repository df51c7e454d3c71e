package console

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// interrupt does to the process what Ctrl+C would have done. The signal is this thread's, so that it has taken effect when the
// call returns: one of the process may be another thread's to handle, while this one ends the program as if nothing were.
func (t *terminal) interrupt() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unix.Tgkill(unix.Getpid(), unix.Gettid(), unix.SIGINT)
}
