package framefile

import (
	"io"

	"example.com/iprof/process"

	"example.com/iprof/gather"
)

// Writer writes frames to a stream. It is a gather.Sink. Each WriteFrame waits for the stream; a program that must not
// wait uses Record. A Writer is for one goroutine at a time.
type Writer struct {
	out     io.Writer
	encoder Encoder
	buffer  []byte
	index   Index
	err     error
}

// NewWriter begins a capture. WriteFrame and Close return the first error of out.
func NewWriter(out io.Writer, info Info) *Writer {
	w := &Writer{out: out, buffer: AppendHead(nil, &info)}
	w.flush()
	return w
}

// WriteFrame writes a frame. It returns the first error of the stream.
func (w *Writer) WriteFrame(f *gather.Frame) error {
	w.buffer = w.encoder.AppendFrame(w.buffer, f)
	return w.flush()
}

// WriteJudged writes a frame with what belongs to it. Sessions call it instead of WriteFrame. The source of calls is
// read until Close.
func (w *Writer) WriteJudged(f *gather.Frame, j *process.Judged) error {
	w.encoder.Take(j)
	return w.WriteFrame(f)
}

// Close writes the end of the capture. It does not close the stream. It returns the first error of the stream.
func (w *Writer) Close() error {
	w.buffer = w.encoder.calls.end(w.buffer)
	w.index.Add(w.buffer)
	w.buffer = w.index.End(w.buffer)
	return w.write()
}

// flush writes the buffer, which has whole chunks.
func (w *Writer) flush() error {
	w.index.Add(w.buffer)
	return w.write()
}

func (w *Writer) write() error {
	if w.err == nil {
		_, w.err = w.out.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
	return w.err
}

// AppendHead appends the beginning of a file: magic, version and info.
func AppendHead(dst []byte, info *Info) []byte {
	dst = append(dst, magic...)
	dst = append(dst, major, minor)
	return appendInfo(dst, info)
}
