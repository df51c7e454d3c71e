// Package progress reports the progress of reading a large file.
//
//	in = progress.Reader(file, progress.Terminal("iprof")) // iprof: 12 %
package progress

import (
	"fmt"
	"io"
	"os"
)

// Func is called with each new percentage of a file that has been read, and with Done at its end. It begins again at 0
// if the file is read again. The reading goroutine calls it.
type Func func(percent int)

// Done is the percentage at the end of a file.
const Done = 100

// Large is the size of a file in bytes below which reading takes no time that a user would notice.
const Large = 4 << 20

// File is a file whose size Reader can learn.
type File interface {
	io.ReadSeeker
	Stat() (os.FileInfo, error)
}

// Reader returns a reader of in that calls say. It returns in itself if say is nil, or if in is no File or a small one.
func Reader(in io.Reader, say Func) io.Reader {
	file, ok := in.(File)
	if !ok || say == nil {
		return in
	}
	info, err := file.Stat()
	if err != nil || info.Size() < Large {
		return in
	}
	return &counted{File: file, size: info.Size(), report: say}
}

// counted is a file whose bytes are counted while they are read.
type counted struct {
	File
	size, read int64
	percent    int
	report     Func
}

// Read reads from the file.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	c.read += int64(n)
	percent := int(min(c.read*Done/c.size, Done-1)) // a file that grows has no end yet
	if err != nil {
		percent = Done
	}
	if percent > c.percent {
		c.percent = percent
		c.report(percent)
	}
	return n, err
}

// Seek counts from the new place.
func (c *counted) Seek(offset int64, whence int) (int64, error) {
	at, err := c.File.Seek(offset, whence)
	c.read, c.percent = at, 0
	return at, err
}

// Terminal returns a Func that keeps a line of the terminal up to date, which begins with the program's name. The line
// goes at the end. It returns nil if standard error is no terminal.
func Terminal(program string) Func {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return func(percent int) {
		if percent == Done {
			fmt.Fprint(os.Stderr, "\r\x1b[K")
			return
		}
		fmt.Fprintf(os.Stderr, "\r%s: %d %%", program, percent)
	}
}
