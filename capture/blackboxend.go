package capture

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
)

// patience is the longest time for which OnPanic and Close wait for the disk.
const patience = 5 * time.Second

// OnPanic writes a file if the calling goroutine panics. The panic goes on, and its stack trace is the same as without
// OnPanic. The file's reason is the place of the panic. Defer it directly. It ends the frame in progress of the
// program's own session, so that the file has it. It waits for the disk for at most five seconds. It writes nothing
// after os.Exit, a fatal error, or a panic of another goroutine. A nil BlackBox does nothing.
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

// panicPlace returns the place of the panic that runs the deferred call of its caller, and false without a panic. It
// reads the stack, because recovering a panic and panicking again would change the stack trace. The stack has no value
// of the panic.
func panicPlace() (place string, panics bool) {
	var stack [64]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(3, stack[:])])
	at, more := frames.Next()
	if at.Function != "runtime.gopanic" {
		return "", false
	}
	for more && strings.HasPrefix(at.Function, "runtime.") { // such as for an index out of range
		at, more = frames.Next()
	}
	return fmt.Sprintf("%s:%d in %s", filepath.Base(at.File), at.Line, path.Base(at.Function)), true
}

func (b *BlackBox) panicked(place string) {
	defer func() { _ = recover() }() // the program's panic matters more
	if b.session == process.Default() {
		b.session.Update()
	}
	b.now("panic at " + place)
	b.wait()
}

// now writes the kept frames, without waiting for later frames.
func (b *BlackBox) now(reason string) {
	b.wait()
	b.from.mu.Lock()
	defer b.from.mu.Unlock()
	if b.from.next == b.originStart || b.closed {
		return
	}
	s := b.shot(trouble{reason, 1})
	if b.pending != nil {
		s.from = min(s.from, b.pending.from)
	}
	b.pending = s
	b.start()
}

// wait waits until no file is being written, but not longer than patience.
func (b *BlackBox) wait() {
	b.from.mu.Lock()
	writing := b.writing
	b.from.mu.Unlock()
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

// Close ends the black box. A file that waits for later frames is written without them. It waits for the disk for at
// most five seconds. The log gets the number of triggers that wrote no file since the last. It returns the first error
// of all files. A nil BlackBox does nothing.
func (b *BlackBox) Close() error {
	if b == nil {
		return nil
	}
	b.session.Paused() // takes in the frames that have ended
	b.close.Do(func() { close(b.closing) })
	b.wait()
	b.last()
	b.wait()
	b.from.leave(func() {
		b.from.boxes = slices.DeleteFunc(b.from.boxes, func(other box) bool { return other == b })
	})
	b.closeSets()
	b.from.mu.Lock()
	defer b.from.mu.Unlock()
	if left := b.left.take(); left.since > 0 {
		const format = "iprof: %s after the last file wrote none, the worst for %s\n"
		line := fmt.Appendf(nil, format, printed.Count(left.since, "trigger"), shortened(left.worst.reason))
		_, _ = hostwriter.Write(b.options.Log, line)
	}
	return b.err
}

// last begins to write the file that waits for later frames. No frame triggers any more.
func (b *BlackBox) last() {
	b.from.mu.Lock()
	defer b.from.mu.Unlock()
	if b.closed = true; b.pending != nil {
		b.start()
	}
	if s := b.pending; s != nil { // the disk is stuck
		b.pending = nil
		b.left.add(s.trouble, s.triggers)
	}
}
