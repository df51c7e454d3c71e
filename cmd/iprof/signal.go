//go:build !plan9 && !js && !wasip1

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// endings are the signals that ask a program to end.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// killedBy returns the number of the signal that ended a program, or 0.
func killedBy(exit *exec.ExitError) int {
	killed, ok := exit.Sys().(interface {
		Signaled() bool
		Signal() syscall.Signal
	})
	if !ok || !killed.Signaled() {
		return 0
	}
	return int(killed.Signal())
}
