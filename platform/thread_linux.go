package platform

import (
	"bytes"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// LockedThread returns the OS thread to which the calling goroutine is locked: see runtime.LockOSThread. It is 0 if the
// goroutine is not locked, and on systems without ThreadTime. It takes microseconds.
func LockedThread() (thread int) {
	var line [128]byte // "goroutine 1 [running, locked to thread]:"
	state := line[:runtime.Stack(line[:], false)]
	for len(state) > 0 && state[0] != '\n' {
		if state[0] == ',' && bytes.HasPrefix(state, []byte(", locked to thread")) {
			return syscall.Gettid()
		}
		state = state[1:]
	}
	return 0
}

// ThreadTime returns the processor time of an OS thread of this process since its start. It is 0 if there is no such
// thread. A call takes some hundred nanoseconds. Any goroutine may call it.
func ThreadTime(thread int) time.Duration {
	const perThread, scheduled = 4, 2 // a clock of the system: see pthread_getcpuclockid
	var t unix.Timespec
	if thread <= 0 || unix.ClockGettime(int32(^thread<<3|perThread|scheduled), &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
