//go:build !iprof_off

package measure

import (
	"time"

	"example.com/iprof/platform"
)

// This file reads the processor time of goroutines that are locked to an OS thread. Other goroutines change threads, so
// their processor time is unknown.

// lockedThread is the thread to which a goroutine is locked. The zero value is no thread. The caller guards it with a
// mutex.
type lockedThread struct {
	id       int
	reported time.Duration // its reported processor time
}

// find finds the thread of the calling goroutine: the thread's time counts from now on. It takes microseconds.
func (t *lockedThread) find() {
	if id := platform.LockedThread(); id != t.id {
		*t = lockedThread{id, platform.ThreadTime(id)}
	}
}

// since returns the processor time since the last call with move, 0 if unknown.
func (t *lockedThread) since(move bool) time.Duration {
	if t.id == 0 || platform.Custom() {
		return 0
	}
	now := platform.ThreadTime(t.id)
	if now == 0 { // the thread has ended
		*t = lockedThread{}
	}
	took := max(now-t.reported, 0)
	if move && now > 0 {
		t.reported = now
	}
	return took
}

// findEvery is the number of frames after which the goroutine that ends them looks for its thread again: it may have
// been locked since.
const findEvery = 64

// follow calls find in one frame of findEvery, if own is true: the calling goroutine is the thread's own.
func (t *lockedThread) follow(own bool, frame uint64) {
	if own && frame%findEvery == 0 {
		t.find()
	}
}

// processTime reads the processor time of the process. The caller guards it with a mutex.
type processTime struct{ read time.Duration }

// begin begins to count.
func (p *processTime) begin() { p.read = platform.CPUTime() }

// since returns the processor time since begin or the last call with move, 0 if unknown. With a clock set by
// platform.SetClock it returns 0: the two clocks would not agree.
func (p *processTime) since(move bool) time.Duration {
	if platform.Custom() {
		return 0
	}
	now := platform.CPUTime()
	took := max(now-p.read, 0)
	if move {
		p.read = now
	}
	return took
}
