package capture

import (
	"time"

	"example.com/iprof/internal/framefile"
)

// The limits of a stream to a live viewer.
const (
	flushEvery   = time.Second / 240
	beatEvery    = time.Second            // interval of the sign of life when no frames end
	leastWaiting = 1 << 10                // bytes
	mostStreamed = 32 << 10               // greatest number of waiting bytes
	mostBehind   = 150 * time.Millisecond // longest time to send the waiting bytes
	framesBehind = 64                     // greatest number of waiting frames
)

// stream is write for a live viewer: it writes at most 240 times a second what waits, and a sign of life each second.
func (r *Recorder) stream() {
	defer r.end()
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		select {
		case <-r.wake:
		case <-beat.C:
			r.beat()
		}
		bytes, last := r.flush()
		if last {
			return
		}
		r.adapt(bytes, r.flushTime)
		time.Sleep(flushEvery - r.flushTime)
	}
}

// beat appends an empty chunk if no bytes wait.
func (r *Recorder) beat() {
	r.from.mu.Lock()
	defer r.from.mu.Unlock()
	if (r.joining || r.taken == r.from.next) && len(r.ownChunks) == 0 {
		r.ownChunks = framefile.AppendLost(r.ownChunks, 0)
	}
}

// adapt sets the greatest number of waiting bytes to the number that the stream takes in mostBehind. It ignores quick
// writes, which only fill a buffer of the system.
func (r *Recorder) adapt(bytes int, took time.Duration) {
	most := r.limits.bytes + r.limits.bytes/8
	if took > mostBehind/4 {
		most = int(float64(bytes) * mostBehind.Seconds() / took.Seconds())
	}
	if most = min(max(most, leastWaiting), mostStreamed); most == r.limits.bytes { // only this goroutine changes it
		return
	}
	r.from.mu.Lock()
	defer r.from.mu.Unlock()
	r.limits.bytes = most
}
