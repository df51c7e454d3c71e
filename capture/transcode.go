package capture

import (
	"bytes"
	"errors"
	"io"

	"example.com/iprof/gather"
)

// transcoder encodes frames of a segment anew.
type transcoder struct {
	number  uint64 // of the segment
	next    uint64 // number of the next frame in the segment
	in      bytes.Buffer
	reader  *Reader
	encoder encoder
	frame   gather.Frame
	out     []byte
}

// newTranscoder returns one for a capture that has some definitions.
func newTranscoder(s *segment, has *definitions) *transcoder {
	t := &transcoder{number: s.number, next: s.first, encoder: encoder{has: *has}}
	t.in.Write(new(definitions).append(appendHead(nil, &Info{}), &s.before))
	t.reader, _ = NewReader(&t.in) // it has a head
	return t
}

// run encodes the next frames of the segment, without those before a number. The bytes are valid until the next call.
func (t *transcoder) run(chunks []byte, from uint64) ([]byte, error) {
	t.in.Write(chunks)
	t.out = t.out[:0]
	for ; ; t.next++ {
		err := t.reader.Next(&t.frame)
		if errors.Is(err, io.EOF) {
			return t.out, nil
		}
		if err != nil {
			return nil, err
		}
		if t.next >= from {
			t.encoder.takeFrom(t.reader)
			t.out = t.encoder.appendFrame(t.out, &t.frame)
		}
	}
}

// takeFrom takes what belongs to the frame that a reader has read last.
func (e *encoder) takeFrom(r *Reader) {
	e.source, e.calls.from, e.budget = r.Events(), r.Calls(), r.Budget()
	e.hot.take(r.Hot())
}
