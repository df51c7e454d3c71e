package capture

import (
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// RecordTo records to a stream.
func RecordTo(s *process.Session, out io.Writer) *Recorder {
	return started(Record(s, RecordOptions{To: out}))
}

// RecordAs records another program's frames to a stream.
func RecordAs(s *process.Session, info Info, out io.Writer) *Recorder {
	return started(Record(s, RecordOptions{To: out, Info: info}))
}

// StreamTo records to a live viewer.
func StreamTo(s *process.Session, out io.Writer) *Recorder {
	return started(Record(s, RecordOptions{To: out, Live: true}))
}

func started(r *Recorder, err error) *Recorder {
	if err != nil {
		panic(err)
	}
	return r
}

// HoldEncoding keeps the events that Update has copied for a black box from being encoded until release is called.
func (b *BlackBox) HoldEncoding() (release func()) {
	b.from.filling.Lock()
	return b.from.filling.Unlock
}

// WaitForFile waits until the black box has written the file that it is writing, and can write another one.
func (b *BlackBox) WaitForFile() { b.wait() }

// The session calls these of the ring.

func (r *Recorder) WriteFrame(f *gather.Frame) error { return r.from.WriteFrame(f) }
func (r *Recorder) WriteJudged(f *gather.Frame, j *process.Judged) error {
	return r.from.WriteJudged(f, j)
}
func (b *BlackBox) WriteJudged(f *gather.Frame, j *process.Judged) error {
	return b.from.WriteJudged(f, j)
}
