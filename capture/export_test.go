package capture

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// ReadEvents reports whether a list of a lane's events can be read to its end, and whether it is verified.
func ReadEvents(list []byte, places int) (read, verified bool) {
	l := laneEvents{decoder: decoder{rest: list}}
	l.events(make([]place, places), func(*gather.Event) {})
	read = l.err == nil
	l = laneEvents{decoder: decoder{rest: list}}
	l.verify(int64(places))
	return read, l.err == nil
}

// HoldEncoding keeps the events that Update has copied for a black box from being encoded until release is called.
func (b *BlackBox) HoldEncoding() (release func()) {
	b.from.filling.Lock()
	return b.from.filling.Unlock
}

// WaitForFile waits until the black box has written the file that it is writing, and can write another one.
func (b *BlackBox) WaitForFile() { b.wait() }

// The session calls these of the ring.

func (r *Recorder) WriteFrame(f *gather.Frame) error    { return r.from.WriteFrame(f) }
func (r *Recorder) TakeCalls(source process.CallSource) { r.from.TakeCalls(source) }
func (b *BlackBox) WriteJudged(f *gather.Frame, judged, budget time.Duration) error {
	return b.from.WriteJudged(f, judged, budget)
}
