// Package threads reads the processor time of goroutines that are locked to an OS thread. A goroutine that is not
// locked changes threads, so nobody knows its processor time.
package threads

import (
	"time"

	"example.com/iprof/platform"
)

// Thread is the thread to which a goroutine is locked. The zero value is none. The caller guards it with a mutex.
type Thread struct {
	id   int
	read time.Duration // its processor time that has been reported
}

// Find finds the thread of the calling goroutine: the thread's time counts from now on. It takes microseconds.
func (t *Thread) Find() {
	if id := platform.LockedThread(); id != t.id {
		*t = Thread{id, platform.ThreadTime(id)}
	}
}

// Since returns the processor time since the last call with move, 0 if it is not known.
func (t *Thread) Since(move bool) time.Duration {
	if t.id == 0 || platform.Custom() {
		return 0
	}
	now := platform.ThreadTime(t.id)
	if now == 0 { // it has ended
		*t = Thread{}
	}
	took := max(now-t.read, 0)
	if move && now > 0 {
		t.read = now
	}
	return took
}

// findEvery is the number of frames after which the goroutine that ends them looks for its thread again: it may have
// been locked since.
const findEvery = 64

// Follow is Find every now and then, if the calling goroutine is the thread's own.
func (t *Thread) Follow(own bool, frame uint64) {
	if own && frame%findEvery == 0 {
		t.Find()
	}
}

// Process reads the processor time of the process. The caller guards it with a mutex.
type Process struct{ read time.Duration }

// Begin begins to count.
func (p *Process) Begin() { p.read = platform.CPUTime() }

// Since returns the processor time since Begin or the last call with move, 0 if it is not known. With a clock that was
// set by platform's SetClock it is 0: the two would not agree.
func (p *Process) Since(move bool) time.Duration {
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
