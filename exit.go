package iprof

import (
	"io"
	"os"
	"os/signal"
	"sync"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// WriteOnExit writes one line a zone, largest time first: time, ticks, calls, errors, name, function, place. Deferred first
// of all in main, it does so however main ends: by return, by a panic or by runtime.Goexit.
//
//	func main() {
//		defer iprof.WriteOnExit(os.Stderr)
//		…
//	}
//
// It changes neither the exit status nor a panic's stack trace, and drops w's errors, w's panics included. Zones that are
// still open are counted up to now.
//
// A deferred call is not made when the process ends otherwise: by os.Exit (log.Fatal calls it; use Exit instead), by a panic
// on another goroutine, by a fatal error such as a concurrent map write, or by a signal (see WriteOnSignal). After a panic in
// another goroutine nothing of the program runs any more; where that matters, defer WriteOnExit there too.
func WriteOnExit(w io.Writer) { writeZones(w) }

// Exit writes what WriteOnExit writes to where SetLog says, os.Stderr at first, and ends the process as os.Exit does:
// deferred calls are not made.
func Exit(code int) {
	writeZones(logTo())
	os.Exit(code)
}

// WriteOnSignal waits for one of the signals, os.Interrupt if none is given, and then writes what WriteOnExit writes and ends
// the process as the signal would have done, with the same status. Signals that the process ignores stay ignored. Call stop
// to wait no longer.
//
//	defer iprof.WriteOnSignal(os.Stderr, os.Interrupt)()
//
// It is for programs that have no handler for the signal themselves; such a handler would get the signal twice. As with any
// use of package os/signal, the runtime no longer ends a program whose goroutines are all stuck.
func WriteOnSignal(w io.Writer, signals ...os.Signal) (stop func()) {
	if len(signals) == 0 {
		signals = []os.Signal{os.Interrupt}
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
			writeZones(w)
			signal.Stop(caught)
			die(s)
		case <-done:
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(caught)
		close(done)
	})
}

// writeZones writes the table. A panic of the writer must not take the place of the one that the program may be ending by;
// recovering here does not touch that one.
func writeZones(w io.Writer) {
	if !Enabled || w == nil {
		return
	}
	defer func() { _ = recover() }()
	_ = text.WriteZones(w, process.Default().Dump(process.DumpOptions{NoFrames: true, NoHistory: true}), text.Options{})
}
