// Package lib ends the program and handles its signals, as dependencies do.
package lib

import (
	"flag"
	"os"
	"os/signal"
	"syscall"
)

// Sum needs a version of the language that only vendor/modules.txt says.
func Sum[T int | float64](list ...T) (sum T) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// Exit is os.Exit as a value, which no rewriting of calls sees.
var Exit = os.Exit

// Parse ends the program.
func Parse() { flag.NewFlagSet("lib", flag.ExitOnError).Parse([]string{"-unknown"}) }

// Saved waits for a signal. A second one would end the program at once.
func Saved() string {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-c
	select {
	case <-c:
		return "lost"
	default:
		return "saved"
	}
}
