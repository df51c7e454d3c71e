//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// endings are the signals that ask a program to end.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// passed are the signals to pass on to the program.
var passed = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1,
	syscall.SIGUSR2}

// exceptTyped is true for signals that a terminal does not send to all programs in it.
func exceptTyped(s os.Signal) bool { return s != os.Interrupt && s != syscall.SIGQUIT }

// ownsTerminal reports whether keys like Ctrl+C send their signals to this program and those that it starts.
func ownsTerminal() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	own, ownErr := unix.Getpgid(0) // Getpgrp is another function on Solaris
	return err == nil && ownErr == nil && group == own
}

// killedBy returns the number of the signal that ended a program, or 0.
func killedBy(exit *exec.ExitError) int {
	if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}
