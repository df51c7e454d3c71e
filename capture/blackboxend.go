package capture

import (
	"fmt"
	"time"

	"example.com/iprof/process"
)

// patience is how long OnPanic and Close wait for the disk.
const patience = 5 * time.Second

// OnPanic writes a file if the calling goroutine panics, and lets the panic go on. Defer it directly. It ends the frame
// in progress of the program's own session, so that the file has it. It waits for the disk for at most five seconds. It
// writes nothing after os.Exit, a fatal error, or a panic of another goroutine. A nil BlackBox does nothing.
//
//	defer box.OnPanic()
func (b *BlackBox) OnPanic() {
	p := recover()
	if p == nil {
		return
	}
	if b != nil {
		b.panicked(p)
	}
	panic(p)
}

func (b *BlackBox) panicked(p any) {
	defer func() { _ = recover() }() // the panic on the way out matters more
	if b.session == process.Default() {
		b.session.Update()
	}
	b.now(fmt.Sprint("panic: ", p))
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
