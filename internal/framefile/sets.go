package framefile

import (
	"errors"
	"io"
	"slices"
)

// A capture may have those of other sets of frames of its program in it, each with a head, keys and an index of its
// own, in pieces between its own chunks. So what reads a capture needs to know nothing of sets: CopySet takes one out.

const (
	setMask   = 0xa5    // of each byte, so that a search for a key of the capture passes over those of its sets
	mostPiece = 1 << 20 // bytes of a set in a chunk
	mostSets  = 16      // names of a capture
)

// AppendSet appends bytes of the capture of a set of frames, which go on where the ones before ended.
func AppendSet(dst []byte, name string, capture []byte) []byte {
	for len(capture) > 0 {
		n := min(len(capture), mostPiece)
		p := append(appendString(nil, name), capture[:n]...)
		mask(p[len(p)-n:])
		dst, capture = appendChunk(dst, chunkSet, p), capture[n:]
	}
	return dst
}

// set reads the payload of a chunk of a set, and unmasks its bytes.
func (d *decoder) set() (name string, piece []byte) {
	name, piece = d.string(), d.rest
	mask(piece)
	return name, piece
}

func mask(b []byte) {
	for i := range b {
		b[i] ^= setMask
	}
}

// setNames are the names of the sets of a capture.
type setNames []string

func (n *setNames) add(name string) {
	if len(*n) < mostSets && !slices.Contains(*n, name) {
		*n = append(*n, name)
	}
}

// CopySet writes the capture of a set of frames that is in another capture. It returns the names of all sets. If the
// set is not one of them it has written nothing. Damage leaves a gap that readers of what it wrote pass over. The error
// is ErrNotACapture, a *NewerError, or the one of in or out.
func CopySet(out io.Writer, in io.Reader, set string) (names []string, err error) {
	return pieces(in, func(name string, piece []byte) error {
		if name != set {
			return nil
		}
		_, err := out.Write(piece)
		return err
	})
}

// CopySets writes the sets of frames of another capture.
func (w *Writer) CopySets(in io.Reader) error {
	_, err := pieces(in, func(name string, piece []byte) error {
		_, err := w.Set(name).Write(piece)
		return err
	})
	return err
}

// pieces calls do with each piece of a set in a capture.
func pieces(in io.Reader, do func(set string, piece []byte) error) (names []string, err error) {
	r, err := NewReader(in)
	if err != nil {
		return nil, err
	}
	for {
		kind, payload, err := r.chunk()
		if err != nil {
			err = r.resume(err)
		}
		var damage *DamageError
		switch {
		case errors.Is(err, io.EOF):
			return r.tables.sets, nil
		case errors.As(err, &damage):
			continue
		case err != nil:
			return r.tables.sets, err
		case kind != chunkSet:
			continue
		}
		d := &decoder{rest: payload}
		name, piece := d.set()
		if d.err != nil {
			continue
		}
		r.tables.sets.add(name)
		if err := do(name, piece); err != nil {
			return r.tables.sets, err
		}
	}
}

// Set returns a stream that goes into the capture as that of a set of frames.
func (w *Writer) Set(name string) io.Writer { return setWriter{w, name} }

type setWriter struct {
	to   *Writer
	name string
}

func (s setWriter) Write(p []byte) (int, error) {
	s.to.buffer = AppendSet(s.to.buffer, s.name, p)
	return len(p), s.to.flush()
}
