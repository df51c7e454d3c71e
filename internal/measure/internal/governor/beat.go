package governor

import (
	"sync/atomic"
	"time"

	"example.com/iprof/internal/quiet"
)

// Beat calls a function again and again. Each call has a new timer, because a timer that began in a bubble of
// testing/synctest must not be reset outside it. The zero value is off. Any goroutine may call its methods.
type Beat struct {
	mu      quiet.Mutex
	turn    int // of Set: timers of earlier ones end
	do      func() (rest bool)
	resting atomic.Bool
}

// The time between two beats. It is longer while the function is slow: one call may be slow because something
// interrupted it.
const (
	beatEvery = 100 * time.Millisecond
	beatShare = 128 // of the time
)

// Set begins the beats, or ends them if do is nil. If do returns true they rest until Wake: while a timer is set, Go's
// runtime does not report that all goroutines are asleep.
func (b *Beat) Set(do func() (rest bool)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.resting.Store(false)
	b.do = do
	if b.turn++; do != nil {
		b.start(b.turn, 0, 0, do)
	}
}

// Rest announces that the function will return true: from now on a Wake has an effect.
func (b *Beat) Rest() { b.resting.Store(true) }

// Resting reports whether the beats rest, or are about to.
func (b *Beat) Resting() bool { return b.resting.Load() }

// Wake resumes resting beats.
func (b *Beat) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var rested bool
	quiet.Call(func() { rested = b.resting.CompareAndSwap(true, false) })
	if rested && b.do != nil {
		b.turn++
		b.start(b.turn, 0, 0, b.do)
	}
}

// start sets a timer for a turn, after the times that the last two calls took.
func (b *Beat) start(turn int, took, tookBefore time.Duration, do func() (rest bool)) {
	time.AfterFunc(max(beatEvery, beatShare*min(took, tookBefore)), func() {
		begun := time.Now()
		if !b.isOn(turn) || do() {
			return
		}
		b.start(turn, time.Since(begun), took, do)
	})
}

func (b *Beat) isOn(turn int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.turn == turn
}
