package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/scratch"
)

// The first bytes of compressed files.
const (
	magicGzip = "\x1f\x8b"
	magicZstd = "\x28\xb5\x2f\xfd"
)

// magicCapture begins captures.
const magicCapture = "\x89IPROF"

// mostLayers bounds compressed files in compressed files.
const mostLayers = 3

// decoded returns the bytes of a file without its compression, and its text in UTF-8 without a byte order mark.
// Decompressed bytes count as written.
func decoded(in io.Reader, account *budget.Account) (io.Reader, error) {
	b := bufio.NewReaderSize(in, 64<<10)
	for range mostLayers {
		begin, err := b.Peek(4)
		if err != nil && len(begin) < 2 {
			return b, nil // the reader reports the error
		}
		switch {
		case bytes.HasPrefix(begin, []byte(magicGzip)):
			z, err := gzip.NewReader(b)
			if err != nil {
				return nil, err
			}
			b = bufio.NewReaderSize(&inflated{z, account}, 64<<10)
			continue
		case bytes.HasPrefix(begin, []byte(magicZstd)):
			if Zstd == nil {
				return nil, errZstd
			}
			z, err := Zstd(b)
			if err != nil {
				return nil, err
			}
			b = bufio.NewReaderSize(&inflated{z, account}, 64<<10)
			continue
		case bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")):
			b.Discard(3)
		case begin[0] == 0xff && begin[1] == 0xfe:
			b.Discard(2)
			return &wide{in: b, low: 0}, nil
		case begin[0] == 0xfe && begin[1] == 0xff:
			b.Discard(2)
			return &wide{in: b, low: 1}, nil
		case isOpen(begin[0]) && begin[1] == 0:
			return &wide{in: b, low: 0}, nil
		case begin[0] == 0 && isOpen(begin[1]):
			return &wide{in: b, low: 1}, nil
		}
		return b, nil
	}
	return nil, errors.New("it is compressed more than three times over")
}

// Reader reads a file repeatedly.
type Reader interface {
	io.ReadSeeker
	io.ReaderAt
}

// Unpacked returns the bytes of a file without its compression. Decompressed bytes are in a file without a name.
func Unpacked(in *os.File, account *budget.Account) (Reader, error) {
	var begin [4]byte
	if _, err := in.ReadAt(begin[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	if s := string(begin[:]); !strings.HasPrefix(s, magicGzip) && s != magicZstd {
		return in, nil
	}
	out, err := scratch.New()
	if err != nil {
		return nil, err
	}
	text, err := decoded(account.Reader(in), account)
	if err == nil {
		_, err = io.Copy(out, text)
	}
	if err != nil && err != io.ErrUnexpectedEOF {
		out.Close()
		return nil, err
	}
	_, err = out.Seek(0, io.SeekStart)
	return out, err
}

// Zstd decompresses zstd. Only the program that reads execution traces sets it and links the library. In other programs
// it is nil, and they start that program for such files.
var Zstd func(io.Reader) (io.Reader, error)

var errZstd = errors.New("it is compressed with zstd: unpack it with zstd -d")

func isOpen(c byte) bool { return c == '{' || c == '[' }

// inflated counts decompressed bytes. A damaged file ends at the damage.
type inflated struct {
	in      io.Reader
	account *budget.Account
}

func (r *inflated) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if over := r.account.Write(n); over != nil {
		return n, over
	}
	if err != nil && err != io.EOF && !errors.As(err, new(*budget.Error)) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// wide reads UTF-16 as UTF-8.
type wide struct {
	in   io.Reader
	low  int // the place of the low byte of two
	raw  [4096]byte
	have int
	out  []byte
	err  error
}

func (r *wide) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// fill decodes the available bytes. Half a character waits for its other half.
func (r *wide) fill() {
	var n int
	n, r.err = r.in.Read(r.raw[r.have:])
	r.have += n
	r.out = r.out[:0]
	used := 0
	for ; used+2 <= r.have; used += 2 {
		c := r.unit(used)
		if utf16.IsSurrogate(c) && used+4 <= r.have {
			if both := utf16.DecodeRune(c, r.unit(used+2)); both != utf8.RuneError {
				c = both
				used += 2
			}
		} else if utf16.IsSurrogate(c) && r.err == nil {
			break
		}
		r.out = utf8.AppendRune(r.out, c)
	}
	r.have = copy(r.raw[:], r.raw[used:r.have])
}

func (r *wide) unit(at int) rune {
	return rune(r.raw[at+r.low]) | rune(r.raw[at+1-r.low])<<8
}
