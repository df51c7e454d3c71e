//go:build unix

package iprof

import (
	"os"
	"syscall"
	"time"
)

// die ends the process by the signal, which nobody waits for any more.
func die(s os.Signal) {
	if number, ok := s.(syscall.Signal); ok {
		syscall.Kill(syscall.Getpid(), number)
		time.Sleep(time.Second) // it is on its way
	}
}
