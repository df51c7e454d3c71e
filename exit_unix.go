//go:build unix

package iprof

import (
	"os"
	"syscall"
	"time"
)

// die ends the process by the signal. No handler of this package is left for it.
func die(s os.Signal) {
	if number, ok := s.(syscall.Signal); ok {
		syscall.Kill(syscall.Getpid(), number)
		time.Sleep(time.Second) // the signal arrives meanwhile
	}
}
