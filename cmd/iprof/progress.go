package main

import (
	"fmt"
	"io"
	"os"
)

// progress counts what is read of a large file, on a terminal.
type progress struct {
	io.Reader
	size, read, told int64
}

const largeFile = 4 << 20 // bytes: smaller ones take no time

// Seek begins to count again.
func (p *progress) Seek(offset int64, whence int) (int64, error) {
	p.read, p.told = 0, 0
	return p.Reader.(io.Seeker).Seek(offset, whence)
}

func newProgress(from io.Reader) io.Reader {
	in, ok := from.(interface {
		io.ReadSeeker
		Stat() (os.FileInfo, error)
	})
	if !ok {
		return from // a program elsewhere
	}
	info, err := in.Stat()
	terminal, e := os.Stderr.Stat()
	if err != nil || e != nil || info.Size() < largeFile || terminal.Mode()&os.ModeCharDevice == 0 {
		return in
	}
	return &progress{Reader: in, size: info.Size()}
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.read += int64(n)
	if percent := p.read * 100 / p.size; percent > p.told {
		p.told = percent
		fmt.Fprintf(os.Stderr, "\riprof: %d %%", percent)
	}
	if err != nil {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	return n, err
}
