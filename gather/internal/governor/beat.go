package governor

import (
	"sync"
	"time"
)

// Beat calls a function again and again. Each call has a new timer, because a timer that began in a bubble of
// testing/synctest must not be reset outside it. The zero value is off. Any goroutine may call its methods.
type Beat struct {
	mu   sync.Mutex
	turn int // of Set: timers of earlier ones end
}

// The time between two beats. A function that takes long is called less often.
const (
	beatEvery = 100 * time.Millisecond
	beatShare = 128 // of the time
)

// Set begins the beats, or ends them if do is nil.
func (b *Beat) Set(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turn++; do != nil {
		b.start(b.turn, beatEvery, do)
	}
}

// start sets a timer for a turn.
func (b *Beat) start(turn int, after time.Duration, do func()) {
	time.AfterFunc(after, func() {
		begun := time.Now()
		if !b.isOn(turn) {
			return
		}
		do()
		b.start(turn, max(beatEvery, beatShare*time.Since(begun)), do)
	})
}

func (b *Beat) isOn(turn int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.turn == turn
}
