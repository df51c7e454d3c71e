// Package protobuf reads messages of protocol buffers, field by field.
package protobuf

import (
	"encoding/binary"
	"errors"
)

// ErrDamaged is the error of bytes that are not a message.
var ErrDamaged = errors.New("the file is damaged: a message has no fields")

// Numbers appends a number, or the numbers packed in b.
func Numbers(all []uint64, v uint64, b []byte) ([]uint64, error) {
	if b == nil {
		return append(all, v), nil
	}
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, ErrDamaged
		}
		all, b = append(all, v), b[n:]
	}
	return all, nil
}

// Fields calls do with each field of a message: its number and its value. Values with bytes have no number, and others
// have no bytes; the number of a fixed-size value contains its bits.
func Fields(b []byte, do func(number, v uint64, b []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return ErrDamaged
		}
		var v uint64
		var inside []byte
		switch b = b[n:]; key & 7 {
		case 0:
			v, n = binary.Uvarint(b)
		case 1:
			if n = 8; len(b) >= n {
				v = binary.LittleEndian.Uint64(b)
			}
		case 5:
			if n = 4; len(b) >= n {
				v = uint64(binary.LittleEndian.Uint32(b))
			}
		case 2:
			v, n = binary.Uvarint(b)
			if n <= 0 || v > uint64(len(b)-n) {
				return ErrDamaged
			}
			inside, n = b[n:n+int(v):n+int(v)], n+int(v)
		default:
			return ErrDamaged
		}
		if n <= 0 || n > len(b) {
			return ErrDamaged
		}
		if err := do(key>>3, v, inside); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
