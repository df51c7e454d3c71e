package export

import (
	"encoding/binary"
	"math"

	"example.com/iprof/internal/printed"
)

// wire is a protocol buffer message that is being written. Fields of value 0 are written, too.
type wire []byte

// The wire types of protocol buffers.
const (
	wireVarint = 0
	wireFixed  = 1
	wireBytes  = 2
)

func (b *wire) tag(field, kind int) { *b = binary.AppendUvarint(*b, uint64(field)<<3|uint64(kind)) }

// number appends an unsigned number, or a signed one in two's complement.
func (b *wire) number(field int, v uint64) {
	b.tag(field, wireVarint)
	*b = binary.AppendUvarint(*b, v)
}

func (b *wire) double(field int, v float64) {
	b.fixed(field, math.Float64bits(v))
}

// fixed appends a number of 8 bytes.
func (b *wire) fixed(field int, v uint64) {
	b.tag(field, wireFixed)
	*b = binary.LittleEndian.AppendUint64(*b, v)
}

// message appends a message within the message.
func (b *wire) message(field int, m wire) {
	b.tag(field, wireBytes)
	*b = binary.AppendUvarint(*b, uint64(len(m)))
	*b = append(*b, m...)
}

// text appends a string. Bytes that are not UTF-8 become U+FFFD.
func (b *wire) text(field int, s string) { b.message(field, wire(valid(s))) }

// numbers appends a packed list of numbers.
func (b *wire) numbers(field int, list ...uint64) {
	var m wire
	for _, v := range list {
		m = binary.AppendUvarint(m, v)
	}
	b.message(field, m)
}

// valid returns s as UTF-8 that is safe to print, because tools print the texts of files. See printed.Of.
func valid(s string) string { return string(printed.Of(s)) }
