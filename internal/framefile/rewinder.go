package framefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// rewinder reads a stream. A caller can give bytes back, to read them again.
type rewinder struct {
	in     *bufio.Reader
	pushed []byte // bytes given back, which are read before in
	at     int    // number of bytes of back that have been read
}

// Read reads the bytes given back, then the stream.
func (r *rewinder) Read(p []byte) (int, error) {
	if r.at == len(r.pushed) {
		return r.in.Read(p)
	}
	n := copy(p, r.pushed[r.at:])
	r.at += n
	return n, nil
}

// chunk skips an undamaged chunk and returns it, with the length of its head. It returns nil for other chunks, and for
// chunks longer than the buffer. The chunk is valid until the next read.
func (r *rewinder) chunk() (chunk []byte, head int) {
	if r.at < len(r.pushed) {
		return nil, 0
	}
	b, _ := r.in.Peek(1 + binary.MaxVarintLen64)
	if len(b) < 2 {
		return nil, 0
	}
	length, n := binary.Uvarint(b[1:])
	if n <= 0 || length > uint64(r.in.Size()) {
		return nil, 0
	}
	all := 1 + n + int(length) + 4
	if all > r.in.Size() {
		return nil, 0
	}
	b, err := r.in.Peek(all)
	if err != nil || crc32.Checksum(b[:all-4], castagnoli()) != binary.LittleEndian.Uint32(b[all-4:]) {
		return nil, 0
	}
	_, _ = r.in.Discard(all) // they are in the buffer
	return b, 1 + n
}

// rewind gives back the bytes that were read last. It returns memory for the next bytes.
func (r *rewinder) rewind(last []byte) []byte {
	if r.at >= len(last) && r.at < len(r.pushed) { // all of them were in back
		r.at -= len(last)
		return last[:0]
	}
	spare := r.pushed
	r.pushed, r.at = last, 0
	return spare[:0]
}

// find moves to the next occurrence of what, or to the end of the stream. It returns the number of bytes skipped.
func (r *rewinder) find(what []byte) (passed int64, found bool) {
	for {
		if at := bytes.Index(r.pushed[r.at:], what); at >= 0 {
			r.at += at
			return passed + int64(at), true
		}
		keep := min(len(what)-1, len(r.pushed)-r.at)
		passed += int64(len(r.pushed) - r.at - keep)
		window, _ := r.in.Peek(1 << 15)
		if len(window) == 0 {
			r.pushed, r.at = r.pushed[:0], 0
			return passed + int64(keep), false
		}
		tail := r.pushed[len(r.pushed)-keep:]
		r.pushed, r.at = append(append(r.pushed[:0], tail...), window...), 0
		r.in.Discard(len(window))
	}
}

// lasting ends a stream at its first error. Otherwise a search for the next key would pass over the error. The end of a
// stream may be followed by more, as a file may grow.
type lasting struct {
	io.Reader
	err error
}

func (l *lasting) Read(p []byte) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err = l.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}
