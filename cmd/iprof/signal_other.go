//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// endings are the signals that ask a program to end.
var endings = []os.Signal{os.Interrupt}

// passed are the signals to pass on to the program.
var passed = endings

// exceptTyped is true for signals that a terminal does not send to all programs in it.
func exceptTyped(s os.Signal) bool { return s != os.Interrupt }

// ownsTerminal reports whether keys like Ctrl+C send their signals to this program and those that it starts.
func ownsTerminal() bool { return true }

// killedBy returns 0: programs here do not end by signals with numbers.
func killedBy(*exec.ExitError) int { return 0 }
