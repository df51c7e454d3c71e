package capture

import (
	"io"
	"time"

	"example.com/iprof/process"
)

// The limits of a stream for somebody who watches.
const (
	flushEvery   = time.Second / 240
	beatEvery    = time.Second            // a sign of life, where no frames end
	leastWaiting = 1 << 10                // bytes
	mostStreamed = 32 << 10               // bytes that may wait
	mostBehind   = 150 * time.Millisecond // how long the bytes that may wait take on their way
	framesBehind = 64                     // frames that may wait
)

// StreamTo writes each frame that the session ends from now on to a stream whose reader watches. It is as RecordTo, but
// rather drops frames than let the reader fall behind: 64 frames, 32 kB, or what the stream takes in 150 ms may wait.
// It writes at most 240 times a second. Each second it writes something, frames or not, so that reader and writer
// notice when the other is gone. Close waits for a Write that has begun. Streams of one session that keep up with it
// share one encoding.
func StreamTo(s *process.Session, out io.Writer) *Recorder {
	r := newRecorder(out, ThisProgram(), limits{bytes: mostStreamed, frames: framesBehind, event: eventStreamed})
	go r.stream()
	r.remove = watch(s, r)
	return r
}

// stream writes the waiting bytes of StreamTo, as write does those of RecordTo, and something each second.
func (r *Recorder) stream() {
	defer close(r.done)
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		select {
		case <-r.wake:
		case <-beat.C:
			r.beat()
		}
		r.writePictures()
		buffer := r.take()
		began := time.Now()
		if _, err := r.out.Write(buffer); err != nil {
			r.fail(err)
			return
		}
		if r.taken.last {
			return
		}
		took := time.Since(began)
		r.adapt(len(buffer), took)
		time.Sleep(flushEvery - took)
	}
}

// beat appends an empty chunk, if nothing waits.
func (r *Recorder) beat() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		r.waiting = appendChunk(r.waiting, chunkLost, []byte{0})
	}
}

// isBeat reports whether a chunk is one of beat's: it tells of no frames.
func isBeat(kind byte, payload []byte) bool {
	return kind == chunkLost && len(payload) == 1 && payload[0] == 0
}

// adapt sets how many bytes may wait to what the stream takes in mostBehind. A quick write means nothing: it went to a
// buffer of the system.
func (r *Recorder) adapt(bytes int, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	most := r.most.bytes + r.most.bytes/8
	if took > mostBehind/4 {
		most = int(float64(bytes) * mostBehind.Seconds() / took.Seconds())
	}
	r.most.bytes = min(max(most, leastWaiting), mostStreamed)
}
