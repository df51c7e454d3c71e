package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/scratch"
)

// Stdin is the path of standard input.
const Stdin = "-"

// taken is the standard input that has been read.
var taken atomic.Pointer[os.File]

var errTaken = errors.New("standard input can be read only once")

// OpenFile opens a file for reading in any order. The path "-" is standard input. Of a pipe, or another file that can
// be read only once, it reads everything and returns a copy in a file without a name. So each call reads a pipe anew.
func OpenFile(path string, limits budget.Budget) (*os.File, error) {
	in, at := os.Stdin, int64(0)
	if path != Stdin {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		in = file
	} else if taken.Swap(in) == in {
		return nil, errTaken
	}
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && path == Stdin { // the shell may have read a part
		at, err = in.Seek(0, io.SeekCurrent)
	}
	if err == nil && at == 0 && (info.Mode().IsRegular() || info.IsDir()) {
		return in, nil
	}
	defer in.Close()
	return copied(in, path, limits)
}

// Name returns the name of a file for people: the last part of its path, or what else it is.
func Name(path string) string {
	switch info, err := os.Stat(path); {
	case path == Stdin, path == "/dev/stdin":
		return "standard input"
	case err == nil && info.Mode()&os.ModeNamedPipe != 0 && strings.HasPrefix(path, "/dev/fd/"):
		return "pipe"
	}
	return filepath.Base(path)
}

// Reopens reports whether a file can be opened once more with the same contents.
func Reopens(path string) bool {
	info, err := os.Stat(path)
	return path != Stdin && err == nil && info.Mode().IsRegular()
}

// The copy of a pipe is at most mostPiped times as long as the limit of written files.
const mostPiped = 64

// firstPiped is the length of the beginning of a pipe that shows whether the rest is wanted.
const firstPiped = 1 << 20

// copied returns a copy of a file that is read once.
func copied(in io.Reader, path string, limits budget.Budget) (*os.File, error) {
	out, err := scratch.New()
	if err != nil {
		return nil, err
	}
	if limits == (budget.Budget{}) {
		limits = budget.Usual
	}
	most := mostPiped * limits.Written
	in = io.LimitReader(limits.File().Reader(in), most+1)
	n, err := io.CopyN(out, in, firstPiped)
	if err == nil && isKnown(out) {
		var more int64
		more, err = io.Copy(out, in)
		n += more
	}
	if err == io.EOF {
		err = nil
	}
	if err == nil && n > most {
		err = &budget.Error{Excess: fmt.Sprintf("it is longer than %d MB, and a pipe", most>>20),
			Limit: fmt.Sprintf("written=%dMB", limits.Written>>19)}
	}
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// isKnown reports whether a file begins as one that is read here. Of others, a copy needs no more than the beginning.
func isKnown(file io.ReaderAt) bool {
	begin := make([]byte, len(magicCapture))
	n, _ := file.ReadAt(begin, 0)
	return KindOf(file) != KindCapture || bytes.HasPrefix(begin[:n], []byte(magicCapture))
}
