package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// ErrNotACapture is the error for a file that is not a capture.
var ErrNotACapture = errors.New(
	"capture: this is not a capture; they are made by Record and begin with \\x89IPROF")

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
	Offset int64 // in the file: of the first bad byte, or near it
	Cut    bool  // the file ends in the middle of a chunk, for instance after a crash
}

// Error says where the damage is.
func (e *DamageError) Error() string {
	if e.Cut {
		const format = "capture: the file ends in the middle of a frame at byte %d; all before it is good"
		return fmt.Sprintf(format, e.Offset)
	}
	return fmt.Sprintf("capture: bytes at %d are damaged; the frames around them are good", e.Offset)
}

// Reader reads the frames of a capture in order. It is for one goroutine at a time.
type Reader struct {
	in       *bufio.Reader
	offset   int64
	payload  []byte
	info     Info
	tables   tables
	lost     uint64
	events   eventList // those of the last frame read
	lanes    []byte    // the bytes of events
	pictures []process.FramePicture
	synced   bool // a key was read and nothing after it was damaged
	complete bool
}

// NewReader reads the beginning of a capture. The error is ErrNotACapture, a *NewerError, or the error of r.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{in: bufio.NewReaderSize(r, 1<<16)}
	head := make([]byte, len(magic)+2)
	if n, err := io.ReadFull(c.in, head); err != nil && n < len(head) {
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

// Events returns the source of the events of the last frame read, nil if the capture has none of it. It is valid until
// the next call of Next.
func (c *Reader) Events() process.EventSource {
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
// io.EOF. After a *DamageError the next call continues behind the damage. Any other error is the stream's.
func (c *Reader) Next(f *gather.Frame) error {
	c.events, c.pictures = c.events[:0], nil
	for {
		kind, payload, err := c.chunk()
		if err != nil {
			return c.resume(err)
		}
		d := &decoder{rest: payload}
		switch kind {
		case chunkInfo:
			c.info = d.info()
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
		case chunkMarks:
			c.tables.setMarks(d)
		case chunkStates:
			c.tables.setStates(d)
		case chunkCalls:
			if c.synced {
				c.tables.setCalls(d)
			}
		case chunkPicture:
			c.takePicture(d)
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
				continue // the frame needs definitions that were damaged
			}
			if err := c.tables.frame(d, f); err == nil {
				return nil
			}
		}
		if d.err != nil {
			c.synced = false
			return &DamageError{Offset: c.offset}
		}
	}
}

// chunk reads a chunk and verifies its checksum. The payload is valid until the next call.
func (c *Reader) chunk() (kind byte, payload []byte, err error) {
	begin := c.offset
	kind, err = c.in.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	length, err := binary.ReadUvarint(c.in)
	if err != nil || length > mostPayload {
		return 0, nil, &DamageError{Offset: begin, Cut: isEnd(err)}
	}
	c.payload = append(c.payload[:0], kind)
	c.payload = binary.AppendUvarint(c.payload, length)
	head := len(c.payload)
	if err := c.read(int(length) + 4); err != nil {
		return 0, nil, &DamageError{Offset: begin, Cut: isEnd(err)}
	}
	end := len(c.payload) - 4
	if crc32.Checksum(c.payload[:end], castagnoli) != binary.LittleEndian.Uint32(c.payload[end:]) {
		return 0, nil, &DamageError{Offset: begin}
	}
	c.offset += int64(len(c.payload))
	return kind, c.payload[head:end], nil
}

// read appends n bytes to the payload. It allocates as the bytes arrive, because a damaged length may be huge.
func (c *Reader) read(n int) error {
	for n > 0 {
		part := min(n, 1<<16)
		begin := len(c.payload)
		c.payload = append(c.payload, make([]byte, part)...)
		if _, err := io.ReadFull(c.in, c.payload[begin:]); err != nil {
			return err
		}
		n -= part
	}
	return nil
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// resume moves to the next key after damage. It also searches the bytes of the damaged chunk. Errors other than damage
// are returned as they are.
func (c *Reader) resume(err error) error {
	var damage *DamageError
	if !errors.As(err, &damage) {
		return err
	}
	c.synced = false
	key := appendChunk(nil, chunkKey, []byte(syncMark))
	rest := io.MultiReader(bytes.NewReader(bytes.Clone(c.payload)), c.in)
	in := bufio.NewReaderSize(rest, 1<<16)
	c.offset = damage.Offset
	for {
		window, _ := in.Peek(1 << 15)
		if len(window) < len(key) {
			c.in = in
			in.Discard(len(window))
			return err
		}
		at := bytes.Index(window, key)
		if at >= 0 {
			in.Discard(at)
			c.offset += int64(at)
			c.in, c.payload = in, c.payload[:0]
			damage.Cut = false
			return damage
		}
		skip := len(window) - len(key) + 1
		in.Discard(skip)
		c.offset += int64(skip)
	}
}
