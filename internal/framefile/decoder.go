package framefile

import (
	"encoding/binary"
	"errors"
	"math"
)

// errPayload is the error for a chunk whose checksum is right but whose content is inconsistent.
var errPayload = errors.New("capture: a chunk contradicts itself")

// decoder reads a chunk's payload. After an error it returns zeros; err has the first error.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errPayload
	}
	d.rest = nil
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.skip(n)
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	d.skip(n)
	return v
}

// skip passes over a number of n bytes. If n is not above 0, the number is cut off or too large, and its value is 0.
func (d *decoder) skip(n int) {
	if n <= 0 {
		d.fail()
		return
	}
	d.rest = d.rest[n:]
}

// length reads a number of items that take at least the given number of bytes each. It fails if the payload is too
// short for them, so a damaged number allocates nothing.
func (d *decoder) length(least int) int {
	n := d.uvarint()
	if n > uint64(len(d.rest)/least) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) string() string { return string(d.bytes(d.length(1))) }

func (d *decoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.fail()
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (d *decoder) float() float64 {
	if b := d.bytes(8); len(b) == 8 {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}
