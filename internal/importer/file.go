package importer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/scratch"
)

// Result is what a file became.
type Result struct {
	Frames     int  `json:"frames"`
	Skipped    int  `json:"skipped"`    // see Trace
	Cut        int  `json:"cut"`        // see Trace
	Unfinished bool `json:"unfinished"` // see Trace
	Traced     bool `json:"-"`          // it was an execution trace of Go
}

// String says it in lines, with what the format lacks.
func (r Result) String() string {
	what, lacks := "events that are no slices", "no files and lines, and does not say what waits."
	if r.Traced {
		what = "ends of regions that began before the trace"
		lacks = "and no places of regions; waiting in a region counts as busy."
	}
	s := fmt.Sprintf("%d frames; %d %s left out, %d slices cut where they leave the one around them.\n"+
		"The format has no frame budget, no heap, %s\n", r.Frames, r.Skipped, what, r.Cut, lacks)
	if r.Unfinished {
		s += "The file has no end; all before it is there.\n"
	}
	return s
}

// Kind is the kind of a file, by how it begins.
type Kind int

// The kinds. Whatever is of no other kind may be a capture.
const (
	KindCapture Kind = iota
	KindChrome       // Chrome's trace event format
	KindTrace        // an execution trace of Go
)

// KindOf returns the kind of a file.
func KindOf(file io.ReaderAt) Kind {
	var begin [5]byte
	n, _ := file.ReadAt(begin[:], 0) // whoever reads it finds the error, too
	switch {
	case n > 0 && (begin[0] == '{' || begin[0] == '['):
		return KindChrome
	case string(begin[:n]) == "go 1.":
		return KindTrace
	}
	return KindCapture
}

// File makes a new capture of a file of another tool. After an error there is no capture.
func File(from, to string, o Frames) (r Result, err error) {
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return r, err
	}
	in, err := os.Open(from)
	if err == nil {
		r, err = write(in, out, from, o)
		in.Close()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
	}
	return r, err
}

// write writes a capture of a file of another tool.
func write(in, out *os.File, from string, o Frames) (Result, error) {
	account := o.account()
	if KindOf(in) == KindTrace {
		return traced(from, out, o)
	}
	t, err := Chrome(in, account)
	if err == nil {
		var r Result
		if r, err = t.Save(out, from, o); err == nil {
			return r, nil
		}
	}
	return Result{}, fmt.Errorf("%s: %w", from, err)
}

// Save writes a capture of a trace that was read of a file. The program began when the file was last written, less the
// length of the trace.
func (t *Trace) Save(to io.Writer, from string, o Frames) (Result, error) {
	info := capture.Info{Program: filepath.Base(from), GoVersion: "not known", Machine: "not known"}
	if file, err := os.Stat(from); err == nil {
		info.Start = file.ModTime().Add(-time.Duration(t.end - t.begin))
	}
	w := capture.NewWriter(t.account.Writer(to), info)
	frames, err := t.Write(o, func(t *Trace) { w.TakeEvents(t) }, w.WriteFrame)
	if closed := w.Close(); err == nil {
		err = closed
	}
	return Result{Frames: frames, Skipped: t.Skipped, Cut: t.Cut, Unfinished: t.Unfinished}, err
}

// Open opens a capture. A file of another tool becomes a capture in a file without a name, and imported is true.
func Open(path string, limits budget.Budget) (file *os.File, imported bool, err error) {
	in, err := os.Open(path)
	if err != nil || KindOf(in) == KindCapture {
		return in, false, err
	}
	defer in.Close()
	if file, err = scratch.New(); err != nil {
		return nil, false, err
	}
	_, err = write(in, file, path, Frames{Limits: limits})
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, false, err
	}
	return file, true, nil
}
