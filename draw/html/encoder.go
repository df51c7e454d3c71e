package html

import (
	"io"

	"example.com/iprof/process/report"
)

// encoder writes the page's data part by part, so that its memory does not grow with the page.
type encoder struct {
	w    io.Writer
	b    []byte // bytes not written yet
	done int    // bytes written
	err  error  // the first error of w
}

// flushed is the number of bytes that an encoder gathers before it writes them.
const flushed = 64 << 10

// flush writes the gathered bytes if there are enough.
func (e *encoder) flush() {
	if len(e.b) >= flushed {
		e.write()
	}
}

// write writes the gathered bytes.
func (e *encoder) write() {
	if e.err == nil {
		_, e.err = e.w.Write(e.b)
	}
	e.done += len(e.b)
	e.b = e.b[:0]
}

// size returns the number of bytes so far.
func (e *encoder) size() int { return e.done + len(e.b) }

// encode writes the page's data. It returns the first error of w.
func encode(w io.Writer, d *report.Dump, o *Options) error {
	e := encoder{w: w, b: make([]byte, 0, 2*flushed)}
	e.run(d)
	e.frames(d, o)
	e.b = append(e.b, '}')
	e.write()
	return e.err
}
