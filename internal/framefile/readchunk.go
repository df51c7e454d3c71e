package framefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
)

// chunk reads a chunk and verifies its checksum. The payload is valid until the next call.
func (c *Reader) chunk() (kind byte, payload []byte, err error) {
	if b, head := c.in.chunk(); b != nil {
		c.offset += int64(len(b))
		return b[0], b[head : len(b)-4], nil
	}
	begin := c.offset
	c.payload = c.payload[:0]
	if err := c.read(1); err != nil {
		return 0, nil, err
	}
	length, err := c.length()
	if err != nil || length > mostPayload {
		return 0, nil, &DamageError{Offset: begin, Cut: isEnd(err)}
	}
	head := len(c.payload)
	if err := c.read(int(length) + 4); err != nil {
		return 0, nil, &DamageError{Offset: begin, Cut: isEnd(err)}
	}
	end := len(c.payload) - 4
	if crc32.Checksum(c.payload[:end], castagnoli()) != binary.LittleEndian.Uint32(c.payload[end:]) {
		return 0, nil, &DamageError{Offset: begin}
	}
	c.offset += int64(len(c.payload))
	return c.payload[0], c.payload[head:end], nil
}

// length reads the length of a chunk, appends its bytes to the payload, and returns it.
func (c *Reader) length() (uint64, error) {
	for {
		if err := c.read(1); err != nil {
			return 0, err
		}
		if length, n := binary.Uvarint(c.payload[1:]); n != 0 {
			if n < 0 {
				length = math.MaxUint64
			}
			return length, nil
		}
	}
}

// read appends n bytes to the payload. It allocates as the bytes arrive, because a damaged length may be huge.
func (c *Reader) read(n int) error {
	for n > 0 {
		part := min(n, 1<<16)
		begin := len(c.payload)
		c.payload = append(c.payload, make([]byte, part)...)
		read, err := io.ReadFull(&c.in, c.payload[begin:])
		if err != nil {
			c.payload = c.payload[:begin+read]
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
	c.wasted += int64(len(c.payload))
	if c.wasted > mostWasted+mostAgain*c.offset {
		c.in = rewinder{in: bufio.NewReader(bytes.NewReader(nil))}
		return damage
	}
	c.payload = c.in.rewind(c.payload)
	passed, found := c.in.find(appendChunk(nil, chunkKey, []byte(syncMark)))
	c.offset = damage.Offset + passed
	damage.Cut = damage.Cut && !found
	return damage
}

// The limits for reading damaged chunks again: a number of bytes, and a multiple of the bytes read before. A file
// beyond these limits was made to waste time, and reading ends.
const (
	mostWasted = 256 << 20
	mostAgain  = 16
)
