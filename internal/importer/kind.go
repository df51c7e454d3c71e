package importer

import (
	"bytes"
	"io"
)

// Kind is the kind of a file, by how it begins.
type Kind int

// The kinds. Whatever is of no other kind may be a capture.
const (
	KindCapture Kind = iota
	KindChrome       // Chrome's trace event format
	KindTrace        // an execution trace of Go
)

// looked is how much of a file says of what kind it is.
const looked = 16 << 10

// KindOf returns the kind of a file. A compressed one is of the kind of what is in it.
func KindOf(file io.ReaderAt) Kind {
	text, err := decoded(io.NewSectionReader(file, 0, 1<<20), nil)
	if err != nil {
		return KindChrome // whoever reads it finds the error, too
	}
	begin := make([]byte, looked)
	n, _ := io.ReadFull(text, begin)
	begin = begin[:n]
	trimmed := bytes.TrimLeft(begin, " \t\r\n")
	switch {
	case bytes.HasPrefix(begin, []byte("go 1.")):
		return KindTrace
	case len(trimmed) > 0 && isOpen(trimmed[0]):
		return KindChrome
	}
	return KindCapture
}
