package capture

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/iprof/internal/outfile"
)

// annotate lets BlackBoxOptions.Annotate copy a temporary file, and returns the copy, or after an error the original.
func (b *BlackBox) annotate(s *shot, f *os.File) *os.File {
	if b.options.Annotate == nil || s.noTrace != nil {
		return f
	}
	copied, err := outfile.NewIn(b.options.Dir, tempPrefix+"*.tmp")
	if err != nil {
		s.notAnnotated = err
		return f
	}
	out := bufio.NewWriterSize(copied, 1<<16)
	if s.notAnnotated = errors.Join(annotated(b.options.Annotate, f, out), out.Flush()); s.notAnnotated != nil {
		f, copied = copied, f
	}
	f.Close()
	os.Remove(f.Name())
	return copied
}

// annotated calls the program's function. It turns a panic into an error.
func annotated(do func(io.ReadSeeker, io.Writer) error, in io.ReadSeeker, out io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	return do(in, out)
}
