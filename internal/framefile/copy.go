package framefile

import (
	"bytes"
	"cmp"
	"errors"
	"io"
)

// mostCopied is the number of bytes of whole chunks that Copy keeps for its next write.
const mostCopied = 1 << 16

// Copy writes a capture that arrives as a stream, with an end and an index of its own, so that OpenFile need not pass
// over the file. It returns the number of frames. Of a stream that ends early it writes the chunks before that and the
// end, and returns the error. Of a damaged one it leaves out what is damaged, up to the next key, and returns the first
// damage unless the stream ends with another error. An empty stream and one of another format write nothing. Of a
// stream by a newer version of this package it writes no end: newer chunks may belong into the index.
func Copy(out io.Writer, stream io.Reader) (frames uint64, err error) {
	head := make([]byte, len(magic)+2)
	n, _ := io.ReadFull(stream, head)
	c, err := NewReader(io.MultiReader(bytes.NewReader(head[:n]), stream))
	if err != nil {
		return 0, err
	}
	w := Writer{out: out, buffer: head}
	var damaged error
	for err == nil {
		err = c.copy(&w)
		if damage := (*DamageError)(nil); errors.As(err, &damage) {
			damaged = cmp.Or(damaged, err)
			err = nil
		}
	}
	if errors.Is(err, io.EOF) {
		err = damaged
	}
	end := w.Close
	if head[len(magic)+1] > minor {
		end = w.flush
	}
	if e := end(); err == nil {
		err = e
	}
	return w.index.frames, err
}

// copy copies a chunk. It leaves out signs of life and the stream's own end.
func (c *Reader) copy(w *Writer) error {
	kind, payload, err := c.chunk()
	if err != nil {
		err = c.resume(err)
	}
	var damage *DamageError
	switch {
	case errors.As(err, &damage) && damage.Cut:
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	case kind == chunkIndex || kind == chunkEnd || kind == chunkLast || isBeat(kind, payload):
	default:
		w.buffer = appendChunk(w.buffer, kind, payload)
	}
	if c.in.in.Buffered() > 0 && len(w.buffer) < mostCopied {
		return nil
	}
	return w.flush()
}
