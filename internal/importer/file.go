package importer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"example.com/iprof/capture"
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
func File(from, to string, o Frames) (Result, error) {
	in, err := os.Open(from)
	if err != nil {
		return Result{}, err
	}
	defer in.Close()
	if KindOf(in) == KindTrace {
		return traced(from, to, o)
	}
	t, err := Chrome(in)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", from, err)
	}
	return t.Save(to, from, o)
}

// Save writes a new capture of a trace that was read of a file. After an error there is none. The program began when
// the file was last written, less the length of the trace.
func (t *Trace) Save(to, from string, o Frames) (Result, error) {
	info := capture.Info{Program: filepath.Base(from), GoVersion: "not known", Machine: "not known"}
	if file, err := os.Stat(from); err == nil {
		info.Start = file.ModTime().Add(-time.Duration(t.end - t.begin))
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return Result{}, err
	}
	w := capture.NewWriter(out, info)
	frames, err := t.Write(o, func(t *Trace) { w.TakeEvents(t) }, w.WriteFrame)
	if err = errors.Join(err, w.Close(), out.Close()); err != nil {
		os.Remove(to)
	}
	return Result{Frames: frames, Skipped: t.Skipped, Cut: t.Cut, Unfinished: t.Unfinished}, err
}

// Open opens a capture. A file of another tool becomes a capture in a file of its own, and
// imported is true: Close closes that.
func Open(path string) (file *os.File, imported bool, err error) {
	file, err = os.Open(path)
	if err != nil || KindOf(file) == KindCapture {
		return file, false, err
	}
	file.Close()
	dir, err := os.MkdirTemp("", "iprof-*")
	if err != nil {
		return nil, false, err
	}
	made := filepath.Join(dir, "capture")
	if _, err = File(path, made, Frames{}); err == nil {
		file, err = os.Open(made)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, false, err
	}
	_ = os.RemoveAll(dir) // Windows refuses that until it is closed
	return file, true, nil
}

// Close closes an imported file, and removes it where that was not possible before.
func Close(file *os.File) {
	_ = file.Close()
	_ = os.RemoveAll(filepath.Dir(file.Name()))
}
