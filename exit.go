package iprof

import (
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// WriteOnExit writes one line a zone, largest time first: time, ticks, calls, errors, name, function, place. As the
// first deferred call of main it runs however main ends: by return, by a panic or by runtime.Goexit.
//
//	func main() {
//		defer iprof.WriteOnExit(os.Stderr)
//		…
//	}
//
// It changes neither the exit status nor a panic's stack trace. It drops errors and panics of w. A broken pipe is such
// an error, also if w is os.Stderr itself, although Go usually ends a program then. It gives up on a writer that takes
// more than 250 ms for one Write, or five seconds in all. Open zones count up to now.
//
// Deferred calls do not run when the process ends in another way: by os.Exit (log.Fatal calls it; use Exit instead), by
// a panic on another goroutine, by a fatal error such as a concurrent map write, or by a signal (see [WriteOnSignal]).
// A goroutine that may panic needs a deferred WriteOnExit of its own.
func WriteOnExit(w io.Writer) { writeZones(w) }

// Exit writes the table of WriteOnExit to os.Stderr. Then it calls os.Exit, so deferred calls do not run.
func Exit(code int) {
	writeZones(os.Stderr)
	os.Exit(code)
}

// WriteOnSignal writes the table of WriteOnExit when one of the signals arrives. Without signals it waits for
// os.Interrupt and syscall.SIGTERM, which container runtimes send. Then it ends the process by the same signal, with
// its status. A second signal ends the process at once. Ignored signals stay ignored. The function stop ends the wait
// for signals. Any goroutine may call both.
//
//	defer iprof.WriteOnSignal(os.Stderr)()
//
// Do not use it for a signal that the program handles itself: the handler would get the signal twice. As with any use
// of package os/signal, the runtime no longer detects a deadlock of all goroutines.
func WriteOnSignal(w io.Writer, signals ...os.Signal) (stop func()) {
	if len(signals) == 0 {
		signals = []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	caught, done := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	go func() {
		select {
		case s := <-caught:
			signal.Stop(caught) // a second signal ends the process, also while the writer is slow
			writeZones(w)
			die(s)
		case <-done:
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(caught)
		close(done)
	})
}

// die ends the process by the signal. This package no longer handles the signal. Where a process cannot send signals,
// it exits with the status of an interrupt.
func die(s os.Signal) {
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // the signal arrives meanwhile
	}
	if runtime.GOOS == "windows" {
		os.Exit(-0x3ffffec6) // STATUS_CONTROL_C_EXIT
	}
	os.Exit(2)
}
