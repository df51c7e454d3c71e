package framefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"example.com/iprof/process"
)

// LoadNewest reads the newest frames of a capture into a session: at least frames of them, from a key on. It skips the
// rest of the file without decoding it, so it takes a fraction of the time of Load. It needs no index, so it also reads
// files that were cut off. all reports whether it has read the whole capture. If not, Load the same file into another
// session and call Session.Adopt to get the rest. The file has to be at its beginning. Errors and Contents are the same
// as for Load; Contents.Frames counts the frames read.
func LoadNewest(s *process.Session, in io.ReadSeeker, frames int) (c *Contents, all bool, err error) {
	o := outline{in: bufio.NewReaderSize(in, 1<<20)}
	at, definitions := o.scan(frames)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, false, err
	}
	if at <= 0 {
		c, err = Load(s, in)
		return c, true, err
	}
	if _, err := in.Seek(at, io.SeekStart); err != nil {
		return nil, false, err
	}
	c, err = Load(s, io.MultiReader(bytes.NewReader(definitions), in))
	return c, false, err
}

// outline scans the chunks of a file without decoding them.
type outline struct {
	in        *bufio.Reader
	offset    int64  // of the next chunk
	keptBytes []byte // the head of the file and the chunks that later chunks need
	head      []byte // scratch: of a chunk
	frames    uint64
	keys      []fileKey

	complete bool // the file has an end chunk
}

// scan returns the offset of the last key with at least frames frames behind it, and the bytes to read before it. The
// offset is 0 if that is the first key, or if a chunk is damaged other than by a cut at the end of the file.
func (o *outline) scan(frames int) (at int64, definitions []byte) {
	if o.read() != nil {
		return 0, nil
	}
	for i := len(o.keys) - 1; i > 0; i-- {
		if k := o.keys[i]; o.frames-k.frames >= uint64(max(frames, 0)) {
			return k.offset, o.keptBytes[:k.keptSize]
		}
	}
	return 0, nil
}

// read scans the whole file.
func (o *outline) read() error {
	head := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(o.in, head); err != nil || string(head[:len(magic)]) != magic || head[len(magic)] > major {
		return ErrNotACapture
	}
	o.keptBytes, o.offset = head, int64(len(head))
	for {
		switch err := o.chunk(); {
		case err == nil:
		case isEnd(err):
			return nil
		default:
			return err
		}
	}
}

// mostKept bounds the memory for chunks that later chunks need.
const mostKept = 16 << 20

// chunk skips a chunk, or keeps it. The error is io.EOF or io.ErrUnexpectedEOF at the end of the file.
func (o *outline) chunk() error {
	kind, err := o.in.ReadByte()
	if err != nil {
		return err
	}
	length, err := binary.ReadUvarint(o.in)
	if err != nil {
		return err
	}
	if length > mostPayload {
		return errNoOrder
	}
	o.head = binary.AppendUvarint(append(o.head[:0], kind), length)
	rest := int(length) + 4
	switch {
	case isKept(kind):
		err = o.keep(rest)
	case kind < 'A' || kind > 'Z':
		return errNoOrder
	default:
		_, err = o.in.Discard(rest)
	}
	if err != nil {
		return err
	}
	switch kind {
	case chunkFrame:
		o.frames++
	case chunkKey:
		o.keys = append(o.keys, fileKey{o.offset, o.frames, len(o.keptBytes)})
	case chunkEnd:
		o.complete = true
	}
	o.offset += int64(len(o.head) + rest)
	return nil
}

// keep reads the rest of a chunk and keeps it.
func (o *outline) keep(rest int) error {
	begin := len(o.keptBytes)
	if begin+rest > mostKept {
		return errNoOrder
	}
	o.keptBytes = append(o.keptBytes, o.head...)
	o.keptBytes = append(o.keptBytes, make([]byte, rest)...)
	_, err := io.ReadFull(o.in, o.keptBytes[begin+len(o.head):])
	if err != nil {
		o.keptBytes = o.keptBytes[:begin]
	}
	return err
}
