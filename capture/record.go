package capture

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostWaiting is the greatest number of bytes that wait for the disk, copied events included. Further frames are
// dropped and counted.
const mostWaiting = 8 << 20

// Recorder writes a session's frames to a file or a stream while the program runs. A goroutine of its own writes, so a
// frame never waits for the disk. Any goroutine may call its methods.
type Recorder struct {
	from    *ring
	out     io.Writer
	file    *os.File // closed by Close; nil for a stream
	options RecordOptions
	sets    sets
	wake    chan struct{}
	done    chan struct{}

	// from.mu guards these.
	position
	ownChunks []byte                // chunks of its own, which come before the next frame
	ending    framefile.CallEncoder // of the calls up to Close
	pictures  []waitingPicture
	limits    limits
	err       error
	closed    bool

	// Only the writing goroutine uses these.
	writes    writes
	late      bool // a Write took long: the frames that waited for it are old
	spare     []byte
	index     framefile.Index
	flushTime time.Duration // for the last flush
}

// RecordOptions say where the frames of a recording go: to Path or To, of which one is set.
type RecordOptions struct {
	Path string    // a new file, which only its owner may read. It is an error if the file exists
	To   io.Writer // a stream, which Close leaves open
	Live bool      // To leads to a live viewer: frames are dropped before it falls behind
	Info Info      // of the program whose frames the session has; the zero Info is for the running program
}

// Record writes each frame that the session ends from now on to a new file or a stream. At most 8 MB wait for it;
// further frames are dropped and counted. The recording of the program's own session has the frames of all sets in it:
// see process.Frames.
//
// For a live viewer at most 64 frames, 32 kB, or the bytes that the stream takes in 150 ms may wait; after a Write that
// took longer, the newest frame. It gets what waits at most 240 times a second, and a sign of life each second without
// frames, so that both ends notice when the other is gone. Close waits for a Write that has begun.
//
// The error is that of making the file. Any goroutine may call it. Cost: BenchmarkRecord.
func Record(s *process.Session, o RecordOptions) (*Recorder, error) {
	if (o.Path == "") == (o.To == nil) {
		return nil, errors.New("capture: a recording needs one place: set Path or To")
	}
	if o.Info == (Info{}) {
		o.Info = framefile.ThisProgram()
	}
	var file *os.File
	if o.To == nil {
		var err error
		if file, err = outfile.New(o.Path); err != nil {
			return nil, fmt.Errorf("capture: %w", err)
		}
		o.To = file
	}
	r := start(s, o, otherSets(s))
	r.file = file
	return r, nil
}

// start begins a recording to a stream, and those of the other sets of frames.
func start(s *process.Session, o RecordOptions, others []*process.Session) *Recorder {
	most, write := limits{bytes: mostWaiting, frames: math.MaxInt, event: eventCopied, behind: math.MaxInt64},
		(*Recorder).write
	if o.Live {
		most, write = limits{bytes: mostStreamed, frames: framesBehind, event: eventStreamed, behind: mostBehind},
			(*Recorder).stream
	}
	r := newRecorder(s, o, most)
	r.sets.record(r, others)
	go write(r)
	return r
}

// limits bounds the waiting data. A frame is dropped if more is waiting before it, or if it waited for a Write that
// took longer than behind and is not the newest. event is the number of bytes that an event counts as before it is
// encoded.
type limits struct {
	bytes, event int
	frames       uint64
	behind       time.Duration
}

// An event takes about three bytes in a stream, and 16 in memory before it is encoded.
const (
	eventStreamed = 3
	eventCopied   = 16
)

func newRecorder(s *process.Session, o RecordOptions, most limits) *Recorder {
	r := &Recorder{out: o.To, options: o, limits: most, wake: make(chan struct{}, 1), done: make(chan struct{}),
		sets: sets{begun: make(chan struct{})}}
	r.ownChunks = framefile.AppendHead(nil, &o.Info)
	r.poke() // readers of a stream get the head before the first frame
	early := false
	join(s, func(from *ring) {
		r.from, early = from, len(from.readers)+len(from.boxes) > 0
		if r.begin(); early {
			r.joining, r.stop = true, r.next
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
type entrance struct{ to *Recorder }

var errEntered = errors.New("entered")

// WriteFrame lets the reader in. The error makes it the last call.
func (e entrance) WriteFrame(*gather.Frame) error {
	e.to.from.mu.Lock()
	defer e.to.from.mu.Unlock()
	if e.to.joining {
		e.to.begin()
	}
	return errEntered
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
	w := &r.writes
	for r.flushTime = 0; r.take(w); {
		r.sets.record(r, w.sets)
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
	shared := w.frameChunks
	if w.transcoder != nil {
		if shared, err = w.transcoder.run(shared, w.from); err != nil {
			return 0, err
		}
	}
	if w.picture != nil {
		w.readerChunks = framefile.AppendPicture(w.readerChunks, w.picture)
	}
	if w.last {
		r.sets.close()
	}
	began := time.Now()
	for _, chunks := range [...][]byte{w.readerChunks, shared} {
		if len(chunks) > 0 && err == nil {
			bytes += len(chunks)
			_, err = r.emit(chunks)
		}
	}
	r.sets.begin()
	if w.last && err == nil {
		err = r.emitEnd()
	}
	took := time.Since(began)
	r.flushTime, r.late = r.flushTime+took, r.late || took > r.limits.behind
	return bytes, err
}

// end ends the writing goroutine. The ring keeps no more frames for it.
func (r *Recorder) end() {
	r.sets.close()
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
	if r.joining {
		r.begin()
	}
	r.closed, r.ended, r.stop = true, r.from.next, min(r.stop, r.from.next)
	r.ending = r.from.encoder.WholeCalls()
	r.poke()
}

// waitingPicture is written after the frames with smaller numbers, of which it shows one.
type waitingPicture struct {
	report.FramePicture
	after uint64
}

// takePicture keeps a picture for the writing goroutine, which compresses it. The ring's mutex is held.
func (r *Recorder) takePicture(index uint64, p *report.Picture) {
	if r.err == nil && !r.closed && len(r.pictures) < framefile.MaxPictures {
		f := report.FramePicture{Frame: index, Picture: p}
		r.pictures = append(r.pictures, waitingPicture{f, r.from.next})
		r.poke()
	}
}
