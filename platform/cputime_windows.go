package platform

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time of the process since its start: of all threads, in the program and in the system.
// It is 0 if the system does not report it. Any goroutine may call it.
func CPUTime() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return hundreds(kernel) + hundreds(user)
}

// hundreds converts a time in units of 100 ns.
func hundreds(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
