// Package hostwriter writes to writers that a program passes to the profiler.
//
//	hostwriter.Do(w, func(w io.Writer) { fmt.Fprintln(w, "profile") })
//
// Such a writer may be nil, panic, block for ever, or be a standard error without a reader. These faults must not stop
// or end the program, or change its exit status.
package hostwriter

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// The longest times that the program waits for a writer, in steps. Steps in which the program gets no processor do not
// count, so a busy machine makes no writer too slow.
const (
	step     = 10 * time.Millisecond
	patience = 25  // for a single Write: 250 ms
	longest  = 500 // for all Writes of a slow writer together: 5 s
)

var (
	errNil       = errors.New("the writer is nil")
	errAbandoned = errors.New("the writer was too slow")
)

// Write is w.Write with two differences. A nil writer and a writer that panics return an error. A broken pipe on
// os.Stdout or os.Stderr is an error like any other; os.File.Write would end the program there. The second applies to
// the files themselves, not to writers that wrap them.
func Write(w io.Writer, p []byte) (n int, err error) {
	if w == nil {
		return 0, errNil
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("the writer panicked: %v", panicked)
		}
	}()
	if f, ok := w.(*os.File); ok && f != nil {
		return writeFile(f, p)
	}
	return w.Write(p)
}

// Writer writes with Write on one goroutine, while another goroutine may stop waiting for it.
type Writer struct {
	w         io.Writer
	writes    atomic.Uint64 // twice the finished Writes, and 1 more during a Write
	abandoned atomic.Bool
}

// New returns a Writer to w, which may be nil.
func New(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes to the underlying writer. It returns an error once the Writer is abandoned.
func (w *Writer) Write(p []byte) (int, error) {
	if w.abandoned.Load() {
		return 0, errAbandoned
	}
	w.writes.Add(1)
	defer w.writes.Add(1)
	return Write(w.w, p)
}

// Wait waits until done is closed, for at most 250 ms in a single Write and five seconds in total. On a machine so busy
// that the program gets no processor for a while, it waits longer. Then it abandons the Writer: a Write in progress
// goes on alone, and later ones return an error.
func (w *Writer) Wait(done <-chan struct{}) {
	ticks, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	go tick(ticks, over)
	last, same := w.writes.Load(), 0
	for range longest {
		select {
		case <-done:
			return
		case <-ticks:
		}
		now := w.writes.Load()
		if same++; now != last || now%2 == 0 {
			last, same = now, 0
		}
		if same == patience {
			break
		}
	}
	w.abandoned.Store(true)
}

// tick sends after each step, and begins the next step when that was received. A time.Ticker does the same, but it
// sends times, which links all their methods.
func tick(ticks chan<- struct{}, over <-chan struct{}) {
	for {
		time.Sleep(step)
		select {
		case ticks <- struct{}{}:
		case <-over:
			return
		}
	}
}

// Do calls write with a Writer to w on a new goroutine, and waits for it as Wait does. Panics are dropped.
func Do(w io.Writer, write func(io.Writer)) {
	out, done := New(w), make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		write(out)
	}()
	out.Wait(done)
}
