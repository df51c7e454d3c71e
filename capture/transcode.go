package capture

import (
	"bytes"
	"errors"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
)

// transcoder encodes frames of a segment anew.
type transcoder struct {
	number  uint64 // of the segment
	next    uint64 // number of the next frame in the segment
	in      bytes.Buffer
	reader  *framefile.Reader
	encoder framefile.Encoder
	frame   gather.Frame
	out     []byte
}

// newTranscoder returns one for a capture that has some definitions.
func newTranscoder(s *segment, has *framefile.Definitions) *transcoder {
	t := &transcoder{number: s.number, next: s.first, encoder: framefile.Encoder{Has: *has}}
	t.in.Write(new(framefile.Definitions).Append(framefile.AppendHead(nil, &Info{}), &s.definitions))
	t.reader, _ = framefile.NewReader(&t.in) // it has a head
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
			t.encoder.Take(t.reader.Judged())
			t.out = t.encoder.AppendFrame(t.out, &t.frame)
		}
	}
}
