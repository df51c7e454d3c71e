package importer

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/protobuf"
)

// Kind is the kind of a file, by how it begins.
type Kind int

// The kinds. A file of no other kind may be a capture.
const (
	KindCapture    Kind = iota
	KindChrome          // Chrome's trace event format
	KindTrace           // an execution trace of Go
	KindCPUProfile      // a .cpuprofile of V8, which is not read
	KindSpeedscope      // a file of speedscope, which is not read
	KindFolded          // folded stacks
	KindPprof           // a profile of pprof
	KindPerfetto        // a trace of Perfetto
	KindZstd            // compressed with zstd, in programs that cannot read it
)

// readers read the kinds of files.
var readers = map[Kind]func(io.Reader, *budget.Account) (*Trace, error){
	KindChrome: func(in io.Reader, account *budget.Account) (*Trace, error) {
		return readChrome(newInput(in, account), account)
	},
	KindFolded: readFolded, KindPerfetto: readPerfetto,
}

// viewers are the programs for the kinds of files that are not read.
var viewers = map[Kind]error{
	KindCPUProfile: errors.New("this is a .cpuprofile of V8: open it in Chrome's DevTools, or at speedscope.app"),
	KindSpeedscope: errors.New("this is a file of speedscope: open it at speedscope.app"),
}

// Read reads a file of another tool, of a kind that KindOf has found. Exceeding the account is an error. A separate
// program reads execution traces of Go.
func (o Frames) Read(in io.Reader, kind Kind, account *budget.Account) (*Trace, error) {
	text, err := decoded(account.Reader(in), account)
	if err != nil {
		return nil, err
	}
	if kind == KindPprof {
		return readPprof(text, o.Sample, account)
	}
	read := readers[kind]
	if read == nil {
		return nil, cmp.Or(viewers[kind], errKind)
	}
	return read(text, account)
}

// looked is the number of bytes of a file that determine its kind.
const looked = 16 << 10

// KindOf returns the kind of a file. A compressed file has the kind of its contents.
func KindOf(file io.ReaderAt) Kind {
	text, err := decoded(io.NewSectionReader(file, 0, 1<<20), nil)
	switch {
	case errors.Is(err, errZstd):
		return KindZstd
	case err != nil:
		return KindChrome // the reader finds the error, too
	}
	begin := make([]byte, looked)
	n, _ := io.ReadFull(text, begin)
	begin = begin[:n]
	trimmed := bytes.TrimLeft(begin, " \t\r\n")
	switch {
	case len(trimmed) == 0 || bytes.HasPrefix(begin, []byte(magicCapture)):
		return KindCapture
	case bytes.HasPrefix(begin, []byte("go 1.")):
		return KindTrace
	case isOpen(trimmed[0]):
		return kindOfJSON(trimmed)
	case isFolded(begin):
		return KindFolded
	case isProtobuf(begin):
		return kindOfProtobuf(begin)
	}
	return KindCapture
}

// kindOfJSON returns the kind of a JSON file by the text near its beginning.
func kindOfJSON(begin []byte) Kind {
	has := func(text string) bool { return bytes.Contains(begin, []byte(text)) }
	switch {
	case begin[0] == '[' || has(`"traceEvents"`) || has(`"ph"`):
		return KindChrome
	case has("speedscope.app/file-format-schema") || has(`"shared"`) && has(`"frames"`) ||
		has(`"profiles"`) && (has(`"evented"`) || has(`"sampled"`)):
		return KindSpeedscope
	case has(`"nodes"`) && has(`"callFrame"`):
		return KindCPUProfile
	}
	return KindChrome
}

// isProtobuf reports whether a file begins with parts of a profile of pprof or packets of a trace of Perfetto.
func isProtobuf(begin []byte) bool {
	found := false
	for len(begin) > 0 {
		number, length, n := begin[0]>>3, uint64(0), 0
		if kind := begin[0] & 7; number == 0 || number > 15 || kind != 2 && kind != 0 {
			return false
		} else if length, n = binary.Uvarint(begin[1:]); kind == 0 {
			length = 0
		}
		if n == 0 {
			break // within a number
		}
		if n < 0 {
			return false
		}
		if found = true; length >= uint64(len(begin)-1-n) {
			break
		}
		begin = begin[1+n+int(length):]
	}
	return found
}

// kindOfProtobuf distinguishes the two by the first message. Profiles begin with a type, which has two small numbers;
// packets of a trace have other fields.
func kindOfProtobuf(begin []byte) Kind {
	if begin[0]>>3 != 1 {
		return KindPprof
	}
	length, n := binary.Uvarint(begin[1:])
	first := begin[1+n:]
	if length > uint64(len(first)) {
		return KindPerfetto
	}
	kind := KindPprof
	err := protobuf.Fields(first[:length], func(number, _ uint64, b []byte) error {
		if number > 2 || b != nil {
			kind = KindPerfetto
		}
		return nil
	})
	if err != nil {
		return KindCapture
	}
	return kind
}

// isFolded reports whether most of the first lines of a file are stacks with numbers.
func isFolded(begin []byte) bool {
	whole := len(begin) < looked
	good := 0
	bad := 0
	several := false
	for line := range bytes.Lines(begin) {
		if !whole && !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue
		}
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return false
		}
		if _, _, ok := foldedLine(string(line)); !ok {
			bad++
			continue
		}
		good++
		several = several || bytes.IndexByte(line, ';') >= 0
	}
	return good > 0 && bad == 0 || several && good > bad
}
