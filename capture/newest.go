package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"example.com/iprof/process"
)

// LoadNewest reads about the newest frames of a capture into a session: those from the last key on, so that there are
// at least so many. The rest of the file is passed over without being decoded, so this takes a fraction of the time
// of Load. It needs no index: files without an end are read like others. all reports whether that was the whole
// capture. If it was not, Load of the same file into another session, and Session.Adopt, bring the rest. The file has
// to be at its beginning. Errors and Contents are those of Load; Contents.Frames counts the frames read.
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

// outline passes over the chunks of a file.
type outline struct {
	in     *bufio.Reader
	offset int64
	kept   []byte // the head of the file and the chunks that later ones need
	frames int
	keys   []outlineKey
}

// outlineKey is what stands before a key.
type outlineKey struct {
	offset int64
	frames int
	kept   int // bytes of outline.kept
}

// scan returns the offset of the last key with at least so many frames behind it, and the bytes to read before it. The
// offset is 0 if that is the first key, or if the file has no chunks in good order up to its end or the cut there.
func (o *outline) scan(frames int) (at int64, definitions []byte) {
	head := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(o.in, head); err != nil || string(head[:len(magic)]) != magic || head[len(magic)] > major {
		return 0, nil
	}
	o.kept, o.offset = head, int64(len(head))
	var err error
	for err == nil {
		err = o.chunk()
	}
	if !isEnd(err) {
		return 0, nil
	}
	for i := len(o.keys) - 1; i > 0; i-- {
		if k := o.keys[i]; o.frames-k.frames >= frames {
			return k.offset, o.kept[:k.kept]
		}
	}
	return 0, nil
}

// errOutline is the error for a file whose chunks do not follow each other.
var errOutline = errors.New("capture: chunks are damaged")

// mostKept bounds the memory for chunks that later ones need.
const mostKept = 16 << 20

// chunk passes over a chunk, or keeps it. The error is io.EOF or io.ErrUnexpectedEOF at the end of the file.
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
		return errOutline
	}
	begin := o.offset
	head := binary.AppendUvarint([]byte{kind}, length)
	rest := int(length) + 4
	o.offset += int64(len(head) + rest)
	switch kind {
	case chunkFrame:
		o.frames++
	case chunkKey:
		o.keys = append(o.keys, outlineKey{begin, o.frames, len(o.kept)})
	case chunkInfo, chunkZones, chunkCounts, chunkNotes, chunkClock, chunkBudgets,
		chunkLost:
		return o.keep(head, rest)
	case chunkEvents, chunkMarks, chunkStates, chunkCalls, chunkPicture, chunkHot, chunkSlow, chunkTrace, chunkEnd:
	default:
		if kind < 'A' || kind > 'Z' {
			return errOutline
		}
	}
	_, err = o.in.Discard(rest)
	return err
}

func (o *outline) keep(head []byte, rest int) error {
	if len(o.kept)+rest > mostKept {
		return errOutline
	}
	o.kept = append(o.kept, head...)
	begin := len(o.kept)
	o.kept = append(o.kept, make([]byte, rest)...)
	_, err := io.ReadFull(o.in, o.kept[begin:])
	return err
}
