package capture

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"example.com/iprof/process"
)

// patience is how long OnPanic and Close wait for the disk.
const patience = 5 * time.Second

// OnPanic writes a file if the calling goroutine panics, and lets the panic go on: its trace is as without. The file's
// reason is where the panic was. Defer it directly. It ends the frame in progress of the program's own session, so that
// the file has it. It waits for the disk for at most five seconds. It writes nothing after os.Exit, a fatal error, or a
// panic of another goroutine. A nil BlackBox does nothing.
//
//	defer box.OnPanic()
func (b *BlackBox) OnPanic() {
	if b == nil {
		return
	}
	if place, panics := panicPlace(); panics {
		b.panicked(place)
	}
}

// panicPlace returns where the panic was that runs the deferred call of its caller, and false if none runs it. A panic
// that is recovered and begun again has another trace. So the stack is read instead: it has no value.
func panicPlace() (place string, panics bool) {
	var stack [64]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(3, stack[:])])
	at, more := frames.Next()
	if at.Function != "runtime.gopanic" {
		return "", false
	}
	for more && strings.HasPrefix(at.Function, "runtime.") { // as of an index out of range
		at, more = frames.Next()
	}
	return fmt.Sprintf("%s:%d in %s", filepath.Base(at.File), at.Line, path.Base(at.Function)), true
}

func (b *BlackBox) panicked(place string) {
	defer func() { _ = recover() }() // the panic on the way out matters more
	if b.session == process.Default() {
		b.session.Update()
	}
	b.now("panic at " + place)
	b.wait()
}

// now writes what is kept, without waiting for frames to come.
func (b *BlackBox) now(reason string) {
	b.wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ring.segments) == 0 || b.closed {
		return
	}
	s := b.shot(reason)
	if b.pending != nil {
		s.from = min(s.from, b.pending.from)
	}
	b.pending = s
	b.start()
}

// wait waits until no file is being written, but not longer than patience.
func (b *BlackBox) wait() {
	b.mu.Lock()
	writing := b.writing
	b.mu.Unlock()
	if writing == nil {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-writing:
	case <-timer.C:
	}
}

// Close ends the black box. A file that waits for frames to come is written without them. It waits for the disk for at
// most five seconds. It returns the first error of all files. A nil BlackBox does nothing.
func (b *BlackBox) Close() error {
	if b == nil {
		return nil
	}
	b.remove()
	b.close.Do(func() { close(b.closing) })
	b.wait()
	b.mu.Lock()
	b.closed = true
	if b.pending != nil {
		b.start()
	}
	b.mu.Unlock()
	b.wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}
