// Package pprofread reads the self times of profiles in pprof's format.
package pprofread

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/protobuf"
)

// Profile holds the self times of a profile.
type Profile struct {
	Type     string // of its values, such as "wall" or "cpu"
	Duration time.Duration
	Self     map[Place]time.Duration
}

// Place is a function, and the file that it is in.
type Place struct{ Name, File string }

// Is reports whether a file begins as a profile does, which is compressed.
func Is(begin []byte) bool { return bytes.HasPrefix(begin, []byte{0x1f, 0x8b}) }

// Read reads a profile. It takes the values of the type with the given name, such as "wall". For "" it takes those of
// the default type, or of the last type that is a time. It returns an error for a profile without such times, or for
// costs beyond the account. It sums samples as they come, so that it needs memory only for the functions.
func Read(in io.Reader, sample string, account *budget.Account) (*Profile, error) {
	z, err := gzip.NewReader(account.Reader(in))
	if err != nil {
		return nil, err
	}
	r := reader{account: account, functions: map[uint64]function{}, locations: map[uint64]uint64{},
		leaves: map[uint64][]uint64{}}
	if err := r.read(bufio.NewReader(z)); err != nil {
		return nil, err
	}
	return r.profile(sample)
}

// The sizes of held values in bytes, including their table entries.
const (
	entrySize = 100 // of a function, a location or a sum
	textSize  = 32
)

// read reads the parts of a profile, one after another.
func (r *reader) read(in *bufio.Reader) error {
	var part []byte
	for {
		key, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return whole(err)
		}
		head := binary.AppendUvarint(part[:0], key)
		var length uint64
		switch key & 7 {
		case 0:
			if length, err = binary.ReadUvarint(in); err != nil {
				return whole(err)
			}
			part, length = binary.AppendUvarint(head, length), 0
		case 1, 5:
			part, length = head, 8
			if key&7 == 5 {
				length = 4
			}
		case 2:
			if length, err = binary.ReadUvarint(in); err != nil {
				return whole(err)
			}
			part = binary.AppendUvarint(head, length)
		default:
			return protobuf.ErrDamaged
		}
		if part, err = r.bytes(part, in, length); err != nil {
			return err
		}
		if err := errors.Join(r.account.Write(len(part)), protobuf.Fields(part, r.field), r.over); err != nil {
			return err
		}
	}
}

// whole returns the error for a truncated profile, or the read error.
func whole(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return protobuf.ErrDamaged
	}
	return err
}

// bytes appends length bytes. It allocates as they arrive, because the length may be false.
func (r *reader) bytes(part []byte, in *bufio.Reader, length uint64) ([]byte, error) {
	before := cap(part)
	for length > 0 {
		n := min(length, 1<<16)
		begin := len(part)
		part = append(part, make([]byte, n)...)
		if _, err := io.ReadFull(in, part[begin:]); err != nil {
			return nil, whole(err)
		}
		length -= n
		r.hold(cap(part) - before)
		if before = cap(part); r.over != nil {
			return nil, r.over
		}
	}
	return part, nil
}

// hold counts bytes that are held from now on.
func (r *reader) hold(bytes int) {
	if err := r.account.Hold(int64(bytes)); err != nil && r.over == nil {
		r.over = err
	}
}

type function struct{ name, file uint64 }

// reader holds the parts of a profile. Strings are numbers in its table.
type reader struct {
	texts     []string
	types     [][2]uint64 // type and unit
	preferred uint64
	duration  uint64
	functions map[uint64]function
	locations map[uint64]uint64   // the innermost function
	leaves    map[uint64][]uint64 // the sums of the values, by the innermost location
	columns   int                 // values of a sample, once there is one
	stacks    map[string][]uint64 // the sums of the values, by the locations, if they are wanted
	outer     map[uint64][]uint64 // the functions around the innermost, which are inlined
	account   *budget.Account
	over      error // error of the account
}

// field takes a part of the profile. The field numbers are defined in profile.proto.
func (r *reader) field(number, v uint64, b []byte) error {
	switch number {
	case 1:
		var t [2]uint64
		err := protobuf.Fields(b, func(n, v uint64, _ []byte) error {
			if n == 1 || n == 2 {
				t[n-1] = v
			}
			return nil
		})
		r.types = append(r.types, t)
		r.hold(textSize)
		return err
	case 2:
		return r.sample(b)
	case 4:
		return r.location(b)
	case 5:
		var id uint64
		var f function
		err := protobuf.Fields(b, func(n, v uint64, _ []byte) error {
			switch n {
			case 1:
				id = v
			case 2:
				f.name = v
			case 4:
				f.file = v
			}
			return nil
		})
		r.functions[id] = f
		r.hold(entrySize)
		return err
	case 6:
		r.texts = append(r.texts, string(b))
		r.hold(textSize + len(b))
	case 10:
		r.duration = v
	case 14:
		r.preferred = v
	}
	return nil
}

// sample adds the values to the innermost location.
func (r *reader) sample(b []byte) error {
	var stack, values []uint64
	err := protobuf.Fields(b, func(n, v uint64, b []byte) (err error) {
		switch n {
		case 1:
			stack, err = protobuf.Numbers(stack, v, b)
		case 2:
			values, err = protobuf.Numbers(values, v, b)
		}
		return err
	})
	if r.stacks != nil && err == nil {
		return r.addStack(stack, values)
	}
	leaf := uint64(0)
	if len(stack) > 0 {
		leaf = stack[0]
	}
	sums := r.leaves[leaf]
	switch {
	case err != nil:
		return err
	case len(r.leaves) == 0:
		r.columns = len(values)
	case len(values) != r.columns:
		return protobuf.ErrDamaged
	}
	if sums == nil {
		sums = make([]uint64, len(values))
		r.leaves[leaf] = sums
		r.hold(entrySize + 8*len(values))
	}
	for i, v := range values {
		sums[i] += v
	}
	return nil
}

// location keeps the innermost function, the first line's, and the others if stacks are wanted.
func (r *reader) location(b []byte) error {
	var id, inner uint64
	var outer []uint64
	lines := 0
	err := protobuf.Fields(b, func(n, v uint64, b []byte) error {
		if n == 1 {
			id = v
		}
		if n != 4 {
			return nil
		}
		if lines++; lines > 1 && r.stacks == nil {
			return nil
		}
		return protobuf.Fields(b, func(n, v uint64, _ []byte) error {
			if n == 1 && lines == 1 {
				inner = v
			} else if n == 1 {
				outer = append(outer, v)
			}
			return nil
		})
	})
	if r.locations[id] = inner; len(outer) > 0 {
		r.outer[id] = outer
		r.hold(entrySize + 8*len(outer))
	}
	r.hold(entrySize)
	return err
}

// profile puts the parts together.
func (r *reader) profile(sample string) (*Profile, error) {
	at, unit, err := r.column(sample)
	if err != nil {
		return nil, err
	}
	p := &Profile{Type: r.text(r.types[at][0]), Duration: time.Duration(r.duration), Self: map[Place]time.Duration{}}
	if len(r.leaves) > 0 && r.columns != len(r.types) {
		return nil, protobuf.ErrDamaged
	}
	for leaf, values := range r.leaves {
		f := r.functions[r.locations[leaf]]
		p.Self[Place{r.text(f.name), r.text(f.file)}] += times(values[at], unit)
	}
	return p, nil
}

func (r *reader) text(i uint64) string {
	if i < uint64(len(r.texts)) {
		return r.texts[i]
	}
	return ""
}
