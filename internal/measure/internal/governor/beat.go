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

// The time between two beats. It is longer for a slow function.
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
		b.start(b.turn, beatEvery, do)
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
		b.start(b.turn, beatEvery, b.do)
	}
}

// start sets a timer for a turn.
func (b *Beat) start(turn int, after time.Duration, do func() (rest bool)) {
	time.AfterFunc(after, func() {
		begun := time.Now()
		if !b.isOn(turn) || do() {
			return
		}
		b.start(turn, max(beatEvery, beatShare*time.Since(begun)), do)
	})
}

func (b *Beat) isOn(turn int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.turn == turn
}
