package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostWaiting is the greatest number of bytes that wait for the disk, copied events included. Further frames are
// dropped and counted.
const mostWaiting = 8 << 20

// Recorder writes a session's frames to a file while the program runs. A goroutine of its own writes, so a frame never
// waits for the disk. Any goroutine may call its methods.
type Recorder struct {
	remove func()
	out    io.Writer
	file   *os.File // closed by Close; nil after RecordTo

	mu       sync.Mutex
	encoder  *encoder // may be shared by streams: see viewers
	waiting  []byte
	holes    []hole                // of waiting
	copied   int                   // bytes that the events of the holes count as
	lost     uint64                // frames dropped since the last one written
	dropped  uint64                // frames dropped in all
	frames   int                   // number of waiting frames
	kept     int                   // frames since the last dropped one, of a stream: see viewers
	pictures []report.FramePicture // waiting pictures
	most     limits
	err      error
	closed   bool

	wake chan struct{}
	done chan struct{}

	// Only the writing goroutine uses taken.
	taken taken
	index index
}

// taken has the data that the writing goroutine writes next.
type taken struct {
	bytes  []byte // with holes
	holes  []hole
	filled []byte
	last   bool
}

// Record writes each frame that the session ends from now on to a new file, which only its owner may read. It is an
// error if the file exists. Any goroutine may call it. Cost: BenchmarkRecord.
func Record(s *process.Session, path string) (*Recorder, error) {
	file, err := outfile.New(path)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	r := RecordTo(s, file)
	r.file = file
	return r, nil
}

// RecordTo writes each frame that the session ends from now on to a stream. It does not close the stream.
func RecordTo(s *process.Session, out io.Writer) *Recorder { return RecordAs(s, ThisProgram(), out) }

// RecordAs is like RecordTo, for a session with the frames of another program, which info describes.
func RecordAs(s *process.Session, info Info, out io.Writer) *Recorder {
	r := newRecorder(out, info, limits{bytes: mostWaiting, frames: math.MaxInt, event: eventCopied})
	go r.write()
	r.remove = s.AddSink(r)
	return r
}

// limits bounds the waiting data. A frame is dropped if more is waiting before it. event is the number of bytes that an
// event counts as before it is encoded.
type limits struct{ bytes, frames, event int }

// An event takes about three bytes in a stream, and 16 in memory before it is encoded.
const (
	eventStreamed = 3
	eventCopied   = 16
)

func newRecorder(out io.Writer, info Info, most limits) *Recorder {
	r := &Recorder{out: out, most: most, encoder: new(encoder), wake: make(chan struct{}, 1), done: make(chan struct{})}
	r.waiting = appendHead(nil, &info)
	r.ring() // readers of a stream get the head before the first frame
	return r
}

// ThisProgram returns the Info of the running program, for NewWriter.
func ThisProgram() Info {
	return Info{
		Program: filepath.Base(os.Args[0]), GoVersion: runtime.Version(),
		Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Start:   time.Now(), Zero: platform.Now(),
	}
}

// WriteFrame encodes a frame for the writing goroutine. Sessions call WriteJudged instead.
func (r *Recorder) WriteFrame(f *gather.Frame) error { return r.WriteJudged(f, 0, 0) }

// WriteJudged encodes a frame for the writing goroutine. It copies the running program's events, and the writing
// goroutine encodes the copy. The session calls it at the end of each frame. It returns the error that ended the
// recording, or nil.
func (r *Recorder) WriteJudged(f *gather.Frame, _, budget time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encoder.budget = budget
	if r.err != nil || r.closed {
		return r.err
	}
	if !r.hasRoom() {
		return nil
	}
	r.tellLost()
	r.encoder.copyEvents(f)
	r.waiting = r.encoder.appendFrame(r.waiting, f)
	if c := r.encoder.copied; c != nil {
		c.readers = 1
	}
	r.added(r.encoder.hole)
	return nil
}

// added counts a frame that was appended, and stores the place of its copied events.
func (r *Recorder) added(at int) {
	if c := r.encoder.copied; c != nil {
		r.holes = append(r.holes, hole{at, r.encoder.pending, c})
		r.copied += c.events * r.most.event
	}
	r.frames++
	r.ring()
}

// hasRoom reports whether there is room for the next frame. If not, it counts the frame as dropped.
func (r *Recorder) hasRoom() bool {
	if len(r.waiting)+r.copied > r.most.bytes || r.frames >= r.most.frames {
		r.lost++
		r.dropped++
		return false
	}
	return true
}

// tellLost appends the number of frames dropped since the last frame written.
func (r *Recorder) tellLost() {
	if r.lost > 0 {
		r.waiting = appendChunk(r.waiting, chunkLost, binary.AppendUvarint(nil, r.lost))
		r.lost = 0
	}
}

// ring wakes the writing goroutine.
func (r *Recorder) ring() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// write writes the waiting bytes until the recording is closed or a Write fails.
func (r *Recorder) write() {
	defer close(r.done)
	for {
		<-r.wake
		r.writePictures()
		if _, err := r.out.Write(r.take()); err != nil {
			r.fail(err)
			return
		}
		if r.taken.last {
			return
		}
	}
}

// take returns the waiting bytes, with their events. The writing goroutine calls it.
func (r *Recorder) take() []byte {
	t := &r.taken
	r.swap()
	bytes := t.bytes
	if len(t.holes) > 0 {
		t.filled = fill(t.filled[:0], t.bytes, t.holes)
		bytes = t.filled
	}
	r.index.add(bytes)
	if t.last {
		bytes = r.index.end(bytes)
	}
	return bytes
}

// swap takes the waiting bytes. Later frames reuse the memory of the bytes taken before.
func (r *Recorder) swap() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		r.finish()
	}
	t := &r.taken
	clear(t.holes)
	t.bytes, r.waiting = r.waiting, t.bytes[:0]
	t.holes, r.holes = r.holes, t.holes[:0]
	r.frames, r.copied, t.last = 0, 0, r.closed
}

// finish appends the end of a capture without the index.
func (r *Recorder) finish() {
	r.tellLost()
	for i := range r.pictures {
		r.waiting = appendPicture(r.waiting, &r.pictures[i])
	}
	r.waiting = r.encoder.calls.end(r.waiting)
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = fmt.Errorf("capture: recording stopped: %w; what was written is good", err)
}

// Err returns the error that ended the recording, or nil. The program continues without the recording.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Dropped returns the number of frames that were dropped because encoding or the disk was too slow.
func (r *Recorder) Dropped() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped
}

// Close ends the recording and waits until everything is written. It returns the first error of the recording. Later
// calls return it again and do nothing else.
func (r *Recorder) Close() error {
	r.remove()
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		r.ring()
	}
	r.mu.Unlock()
	<-r.done
	err := r.Err()
	if r.file != nil {
		if info, e := r.file.Stat(); err != nil && e == nil && info.Size() == 0 {
			outfile.Abandon(r.file) // nothing of use is in it, and it would stop the next start
		}
		if e := r.file.Close(); err == nil && !errors.Is(e, os.ErrClosed) {
			err = e
		}
	}
	return err
}
