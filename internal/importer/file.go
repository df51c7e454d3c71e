package importer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/scratch"
)

// Result describes the capture made from a file.
type Result struct {
	Frames     int     `json:"frames"`
	Skipped    int     `json:"skipped"`           // see Trace
	Cut        int     `json:"cut"`               // see Trace
	Unfinished bool    `json:"unfinished"`        // see Trace
	Left       []Count `json:"left,omitempty"`    // kinds of events that Skipped counts
	Changed    []Count `json:"changed,omitempty"` // differences from the file
	Note       string  `json:"note,omitempty"`    // on the length of frames
	Words      string  `json:"words,omitempty"`   // message of the reader of a damaged file
	Traced     bool    `json:"traced,omitempty"`  // it was an execution trace of Go
}

// String returns the result as lines, with the limits of the format.
func (r Result) String() string {
	lacks := "The format has no frame budget and no heap, and does not mark waiting."
	if r.Traced {
		lacks = "The format has no frame budget, no heap and no places of regions; waiting in a region counts as busy."
	}
	s := counted(r.Frames, "frames")
	if line := r.Line(); line != "" {
		s += "; " + line
	}
	return s + "\n" + lacks + "\n"
}

// Line returns the differences from the file with their reasons, in a line. It returns "" without differences.
func (r Result) Line() string {
	var parts []string
	if len(r.Left) > 0 {
		parts = append(parts, "left out: "+counts(r.Left).String())
	}
	if len(r.Changed) > 0 {
		parts = append(parts, "changed: "+counts(r.Changed).String())
	}
	if r.Words != "" {
		parts = append(parts, r.Words)
	}
	if r.Unfinished {
		parts = append(parts, "the file has no end; all before it is there")
	}
	if r.Note != "" {
		parts = append(parts, r.Note)
	}
	return strings.Join(parts, "; ")
}

// File converts a file of another tool to a new capture. After an error there is no capture.
func File(from, to string, o Frames) (r Result, err error) {
	out, err := outfile.New(to)
	if err != nil {
		return r, err
	}
	in, err := OpenFile(from, o.Limits)
	if err == nil {
		r, err = write(in, out, from, o)
		in.Close()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
	}
	return r, err
}

// errKind is the error for a file of an unknown kind.
var errKind = errors.New("this is not a trace or profile that iprof reads: " +
	"docs/export.md has a list")

// write writes a capture from a file of another tool.
func write(in, out *os.File, from string, o Frames) (Result, error) {
	account := o.account()
	kind := KindOf(in)
	if kind == KindTrace || kind == KindZstd {
		return byReader(in, from, out, o)
	}
	t, err := o.Read(progress.Reader(in, o.Progress), kind, account)
	if err == nil {
		var r Result
		if r, err = t.Save(out, from, o); err == nil {
			return r, nil
		}
	}
	return Result{}, fmt.Errorf("%s: %w", from, err)
}

// NotKnown is the version of Go and the machine of a file that does not have them.
const NotKnown = "not known"

// Save writes a capture of a trace from a file. The start of the program is the time of the file less the length of the
// trace.
func (t *Trace) Save(to io.Writer, from string, o Frames) (Result, error) {
	info, last := framefile.Info{Program: Name(from), GoVersion: NotKnown, Machine: NotKnown}, time.Now()
	if file, err := os.Stat(from); err == nil {
		last = file.ModTime()
	}
	info.Start = last.Add(-time.Duration(t.end - t.begin))
	info.Kind = t.kind(o)
	w := framefile.NewWriter(t.account.Writer(to), info)
	j := process.Judged{Budget: report.NoBudget}
	if info.Kind.HasFrames() {
		j.Budget = 0
	}
	frames, err := t.Write(o, func(t *Trace) { j.Events = t }, func(f *gather.Frame) error {
		return w.WriteJudged(f, &j)
	})
	if closed := w.Close(); err == nil {
		err = closed
	}
	return Result{Frames: frames, Skipped: t.Skipped, Cut: t.Cut, Unfinished: t.Unfinished, Left: t.left,
		Changed: t.changed, Note: t.note, Words: t.Words}, err
}

// Open opens a capture. It converts a file of another tool to a capture in a file without a name, and returns the
// result in imported, which is otherwise nil. See OpenFile for pipes.
func Open(path string, o Frames) (file *os.File, imported *Result, err error) {
	in, err := OpenFile(path, o.Limits)
	if err != nil {
		return nil, nil, err
	}
	return Opened(in, path, o)
}

// Opened is Open for a file that OpenFile has returned. It closes the file if it does not return it.
func Opened(in *os.File, path string, o Frames) (file *os.File, imported *Result, err error) {
	if KindOf(in) == KindCapture {
		return in, nil, nil
	}
	defer in.Close()
	if file, err = scratch.New(); err != nil {
		return nil, nil, err
	}
	r, err := write(in, file, path, o)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, &r, nil
}
