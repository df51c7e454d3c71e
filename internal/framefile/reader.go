package framefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// ErrNotACapture is the error for a file that is not a capture.
var ErrNotACapture error = NotACapture{}

// NotACapture is the type of ErrNotACapture. Another variable can have the same value without code that runs at start.
type NotACapture struct{}

// Error says how captures begin.
func (NotACapture) Error() string {
	return "capture: this is not a capture; they are made by Record and begin with \\x89IPROF"
}

// NewerError is the error for a capture of a newer major version of the format.
type NewerError struct {
	Major int // version of the file's format
}

// Error names both versions.
func (e *NewerError) Error() string {
	const format = "capture: the file has version %d of the format and this program reads up to %d; use a newer iprof"
	return fmt.Sprintf(format, e.Major, major)
}

// DamageError is the error for a damaged stretch of a capture. The frames before and behind it can be read.
type DamageError struct {
	Offset int64 // in the file, of the first bad byte or near it
	Cut    bool  // the file ends in the middle of a chunk, for instance after a crash
}

// Error gives the offset of the damage.
func (e *DamageError) Error() string {
	if e.Cut {
		const format = "capture: the file ends in the middle of a frame at byte %d; all before it is good"
		return fmt.Sprintf(format, e.Offset)
	}
	return fmt.Sprintf("capture: bytes at %d are damaged; the frames around them are good", e.Offset)
}

// Reader reads the frames of a capture in order. It is for one goroutine at a time.
type Reader struct {
	in       rewinder
	offset   int64
	payload  []byte // of the last chunk, with its head and its checksum
	wasted   int64  // bytes of damaged chunks that were read again
	info     Info
	tables   tables
	longest  longest
	lost     uint64
	events   eventList // of the last frame read
	lanes    []byte    // bytes of the events
	pictures []report.FramePicture
	synced   bool // a key was read and nothing after it was damaged
	complete bool
	decoder  decoder // scratch of take
}

// NewReader reads the beginning of a capture. The error is ErrNotACapture, a *NewerError, or the error of r.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{in: rewinder{in: bufio.NewReaderSize(&lasting{Reader: r}, 1<<16)}}
	head := make([]byte, len(magic)+2)
	if n, err := io.ReadFull(&c.in, head); err != nil && n < len(head) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, ErrNotACapture
		}
		return nil, err
	}
	c.offset = int64(len(head))
	if string(head[:len(magic)]) != magic {
		return nil, ErrNotACapture
	}
	if v := int(head[len(magic)]); v > major {
		return nil, &NewerError{v}
	}
	return c, nil
}

// Info describes the program that wrote the capture. It is complete after the first call of Next.
func (c *Reader) Info() Info { return c.info }

// Lost returns how many frames the program had dropped before the last frame read.
func (c *Reader) Lost() uint64 { return c.lost }

// Budget returns the frame budget in force at the last frame read, 0 if the capture does not have it.
func (c *Reader) Budget() time.Duration {
	return max(time.Duration(c.tables.scalars[budgetScalar]), 0)
}

// Events returns the source of the events of the last frame read, nil if the capture has no events of the frame. It is
// valid until the next call of Next.
func (c *Reader) Events() timeline.EventSource {
	if len(c.events) == 0 {
		return nil
	}
	return c.events
}

func (c *Reader) takeEvents(e eventChunk) {
	c.lanes = append(c.lanes[:0], e.lanes...)
	e.lanes = c.lanes
	c.events = append(c.events[:0], e)
}

// Complete reports whether the capture was closed properly. It is false until Next has returned io.EOF.
func (c *Reader) Complete() bool { return c.complete }

// Next reads the next frame into f. It overwrites f and reuses its memory. At the end of the capture the error is
// io.EOF. After a *DamageError the next call continues behind the damage. Any other error is the stream's. Times that
// sum up to more than 292 years are cut; a note in f.Misuse has the number of cut times.
func (c *Reader) Next(f *gather.Frame) error {
	c.events, c.pictures = c.events[:0], nil
	for {
		kind, payload, err := c.chunk()
		if err != nil {
			return c.resume(err)
		}
		switch done, err := c.take(kind, payload, f); {
		case err != nil:
			return err
		case done:
			return nil
		}
	}
}

// take reads the payload of a chunk. It reports whether the chunk was a frame, which it reads into f.
func (c *Reader) take(kind byte, payload []byte, f *gather.Frame) (done bool, err error) {
	d := &c.decoder
	*d = decoder{rest: payload}
	switch kind {
	case chunkInfo:
		c.info = d.info()
		c.tables.begin()
	case chunkKey:
		c.tables.forget()
		c.events = c.events[:0]
		c.synced = true
	case chunkZones:
		c.tables.addZones(d)
	case chunkCounts:
		c.tables.addCounters(d)
	case chunkNotes:
		c.tables.setNotes(d)
	case chunkClock, chunkBudgets, chunkSet, chunkObjects:
		c.tables.setOther(kind, d)
	case chunkMarks, chunkRemarks, chunkSection:
		c.tables.setTexts(kind, d)
	case chunkStates:
		c.tables.setStates(d)
	case chunkSlowly:
		c.tables.setSlowCalls(d)
	case chunkCalls:
		if c.synced {
			c.tables.setCalls(d)
		}
	case chunkPicture:
		c.takePicture(d)
	case chunkSlow:
		c.tables.setSlow(d)
	case chunkWaited:
		c.tables.setWaited(d)
	case chunkHot:
		c.tables.setHot(d)
	case chunkLost:
		c.lost += d.uvarint()
	case chunkEnd:
		c.complete = true
	case chunkEvents:
		if c.synced {
			c.takeEvents(c.tables.eventChunk(d))
		}
	case chunkFrame:
		if !c.synced {
			return false, nil // the frame needs Definitions that were damaged
		}
		if err := c.tables.frame(d, f); err == nil {
			c.longest.apply(f)
			return true, nil
		}
	}
	if d.err != nil {
		c.synced = false
		return false, &DamageError{Offset: c.offset}
	}
	return false, nil
}
