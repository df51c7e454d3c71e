package framefile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/trace"
	"strconv"

	"example.com/iprof/platform"
)

// The limits of an execution trace in a capture.
const (
	tracePart = 256 << 10 // bytes of a chunk
	mostTrace = 64 << 20  // bytes in all
)

var (
	errTraceSize = errors.New("the execution trace is longer than 64 MB")
	errNoTrace   = errors.New("capture: there is no execution trace in it; see BlackBoxOptions.Trace")
)

// WriteTrace adds an execution trace, such as that of a runtime/trace.FlightRecorder. The error is the trace's or the
// stream's. A trace that panics or is longer than 64 MB is an error, too. The capture stays valid then, but its trace
// is incomplete.
func (w *Writer) WriteTrace(from io.WriterTo) (err error) {
	parts := &traceParts{writer: w}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("capture: the execution trace panicked: %v", p)
		}
	}()
	markClock()
	if _, err := from.WriteTo(parts); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	if err := parts.flush(); err != nil {
		return err
	}
	return parts.part(nil) // the end
}

// clockMark is the category of the events that tie the trace's clock to that of package platform. Module exectrace
// knows it.
const clockMark = "iprof clock"

// markClock writes readings of the clock into the program's trace, if there is one.
func markClock() {
	for range 3 { // the first reading may load code and wait for memory
		trace.Log(context.Background(), clockMark, strconv.FormatInt(int64(platform.Now()), 10))
	}
}

// traceParts writes an execution trace as chunks.
type traceParts struct {
	writer       *Writer
	waiting      []byte
	writtenBytes uint64
}

// Write adds a part of the trace.
func (p *traceParts) Write(b []byte) (int, error) {
	if p.writtenBytes+uint64(len(p.waiting)+len(b)) > mostTrace {
		return 0, errTraceSize
	}
	p.waiting = append(p.waiting, b...)
	if len(p.waiting) < tracePart {
		return len(b), nil
	}
	return len(b), p.flush()
}

func (p *traceParts) flush() error {
	for len(p.waiting) > 0 {
		n := min(len(p.waiting), tracePart)
		if err := p.part(p.waiting[:n]); err != nil {
			return err
		}
		p.waiting = p.waiting[n:]
	}
	return nil
}

// part writes a chunk.
func (p *traceParts) part(b []byte) error {
	payload := append(binary.AppendUvarint(nil, p.writtenBytes), b...)
	p.writer.buffer = appendChunk(p.writer.buffer, chunkTrace, payload)
	p.writtenBytes += uint64(len(b))
	return p.writer.flush()
}

// WriteTrace reads the rest of the capture and writes its execution trace, for go tool trace. It is an error if the
// capture has no trace, or if a part of the trace is damaged. Other errors are the streams'.
func (c *Reader) WriteTrace(out io.Writer) (written int64, err error) {
	var damage *DamageError
	for {
		kind, payload, err := c.chunk()
		switch err := c.resume(err); {
		case err == nil:
		case errors.As(err, &damage):
			continue
		case !errors.Is(err, io.EOF):
			return written, err
		case damage != nil:
			return written, damage
		case written > 0:
			return written, &DamageError{Offset: c.offset, Cut: true}
		default:
			return 0, errNoTrace
		}
		if kind != chunkTrace {
			continue
		}
		d := &decoder{rest: payload}
		if at := d.uvarint(); d.err != nil || at != uint64(written) {
			return written, &DamageError{Offset: c.offset}
		}
		if len(d.rest) == 0 {
			return written, nil
		}
		n, err := out.Write(d.rest)
		if written += int64(n); err != nil {
			return written, err
		}
	}
}
