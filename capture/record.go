package capture

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// mostWaiting is the greatest number of bytes that wait for the disk, copied events included. Further frames are
// dropped and counted.
const mostWaiting = 8 << 20

// Recorder writes a session's frames to a file or a stream while the program runs. A goroutine of its own writes, so a
// frame never waits for the disk. Any goroutine may call its methods.
type Recorder struct {
	from *ring
	out  io.Writer
	file *os.File // closed by Close; nil after RecordTo
	wake chan struct{}
	done chan struct{}

	// from.mu guards these.
	position
	own      []byte      // chunks of its own, which come before the next frame
	ending   callEncoder // of the calls up to Close
	pictures []waitingPicture
	most     limits
	err      error
	closed   bool

	// Only the writing goroutine uses these.
	now   writes
	spare []byte
	index index
	took  time.Duration // for the last flush
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
	r := newRecorder(s, out, info, limits{bytes: mostWaiting, frames: math.MaxInt, event: eventCopied})
	go r.write()
	return r
}

// limits bounds the waiting data. A frame is dropped if more is waiting before it. event is the number of bytes that an
// event counts as before it is encoded.
type limits struct {
	bytes, event int
	frames       uint64
}

// An event takes about three bytes in a stream, and 16 in memory before it is encoded.
const (
	eventStreamed = 3
	eventCopied   = 16
)

func newRecorder(s *process.Session, out io.Writer, info Info, most limits) *Recorder {
	r := &Recorder{out: out, most: most, wake: make(chan struct{}, 1), done: make(chan struct{})}
	r.own = appendHead(nil, &info)
	r.poke() // readers of a stream get the head before the first frame
	early := false
	join(s, func(from *ring) {
		r.from, early = from, len(from.readers)+len(from.boxes) > 0
		if r.begin(); early {
			r.early, r.stop = true, r.next
		}
		from.readers = append(from.readers, r)
	})
	if early {
		s.AddSink(entrance{r})
	}
	return r
}

// entrance is a sink that lets a reader in before the first frame that ends after it joined. The ring's sink is older,
// so the session calls it afterwards.
type entrance struct{ *Recorder }

var errEntered = errors.New("entered")

// WriteFrame lets the reader in. The error makes it the last call.
func (e entrance) WriteFrame(*gather.Frame) error {
	e.from.mu.Lock()
	defer e.from.mu.Unlock()
	if e.early {
		e.begin()
	}
	return errEntered
}

// ThisProgram returns the Info of the running program, for NewWriter.
func ThisProgram() Info {
	return Info{
		Program: filepath.Base(os.Args[0]), GoVersion: runtime.Version(),
		Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Start:   time.Now(), Zero: platform.Now(),
	}
}

// poke wakes the writing goroutine.
func (r *Recorder) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// write writes what waits until the recording is closed or a Write fails.
func (r *Recorder) write() {
	defer r.end()
	for last := false; !last; {
		<-r.wake
		_, last = r.flush()
	}
}

// flush writes all that waits. last reports whether that was the end. The segment of what it wrote last is kept until
// the next call, so that usually it takes the mutex, which the program's frames need, once.
func (r *Recorder) flush() (bytes int, last bool) {
	w := &r.now
	for r.took = 0; r.take(w); {
		n, err := r.put(w)
		if bytes += n; err != nil {
			r.fail(err)
		}
		if err != nil || w.last {
			return bytes, true
		}
		if w.staged {
			r.from.fill(w.below)
		}
		if !w.more {
			break
		}
	}
	return bytes, false
}

// put writes, and returns the number of bytes.
func (r *Recorder) put(w *writes) (bytes int, err error) {
	shared := w.shared
	if w.anew != nil {
		if shared, err = w.anew.run(shared, w.from); err != nil {
			return 0, err
		}
	}
	if w.picture != nil {
		w.own = appendPicture(w.own, w.picture)
	}
	began := time.Now()
	for _, chunks := range [...][]byte{w.own, shared} {
		if r.index.add(chunks); len(chunks) > 0 && err == nil {
			bytes += len(chunks)
			_, err = r.out.Write(chunks)
		}
	}
	if w.last && err == nil {
		_, err = r.out.Write(r.index.end(nil))
	}
	r.took += time.Since(began)
	return bytes, err
}

// end ends the writing goroutine. The ring keeps no more frames for it.
func (r *Recorder) end() {
	r.from.forget(r)
	close(r.done)
}

func (r *Recorder) fail(err error) {
	r.from.mu.Lock()
	defer r.from.mu.Unlock()
	r.err = fmt.Errorf("capture: recording stopped: %w; what was written is good", err)
}

// Err returns the error that ended the recording, or nil. The program continues without the recording.
func (r *Recorder) Err() error {
	r.from.mu.Lock()
	defer r.from.mu.Unlock()
	return r.err
}

// Dropped returns the number of frames that were dropped because encoding or the disk was too slow.
func (r *Recorder) Dropped() uint64 {
	r.from.mu.Lock()
	defer r.from.mu.Unlock()
	return r.dropped + r.missing()
}

// Close ends the recording and waits until everything is written. It returns the first error of the recording. Later
// calls return it again and do nothing else.
func (r *Recorder) Close() error {
	r.from.leave(r.close)
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

// close makes the newest frame the last one. The ring's mutex is held.
func (r *Recorder) close() {
	if r.closed {
		return
	}
	if r.early {
		r.begin()
	}
	r.closed, r.ended, r.stop = true, r.from.next, min(r.stop, r.from.next)
	r.ending = r.from.encoder.calls.whole()
	r.poke()
}
