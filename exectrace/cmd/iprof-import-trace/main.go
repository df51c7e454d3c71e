// Command iprof-import-trace makes a capture of the user regions in an execution trace of Go 1.22 or newer: of
// runtime/trace.Start, of a FlightRecorder, or of go test -trace. It also reads other files that iprof imports if they
// are compressed with zstd. "iprof import", "iprof top" and glviewer start it by themselves for such files.
//
//	iprof-import-trace [-frame NAME | -every 16ms] [-json] [-limits …] [-progress] trace.out regions.iprof
//	iprof-import-trace -version
//
// The trace "-" is standard input. With -stdin it is that, too, and TRACE is only its name. The capture "-" is standard
// output; -json then writes to standard error.
//
// A region becomes a zone at its time. A goroutine with regions becomes a lane with its states, so verdicts and the
// timeline show its waits. In a trace without regions, up to 1,000 goroutines become lanes, and a zone is the function
// that a goroutine began with, during the time in which it ran. A lane is named by the go statement that made its
// goroutine, as in a program with zones. Tasks and logs become marks. A frame begins with each region NAME. Without
// -frame, a frame begins with each region "frame", or every 16.7 ms if there are no such regions. The format has no
// frame budget, no heap and no places of regions. The time of a region is the time between its begin and its end, so
// waiting counts as busy.
//
// At damage, such as regions that end in a wrong order, the command prints the message of the trace reader. Reading
// continues about a second later in the trace.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/version"
)

func main() {
	importer.Zstd = unpack
	var o importer.Frames
	flag.StringVar(&o.Name, "frame", "", "a frame begins with each region of this name")
	flag.DurationVar(&o.Every, "every", 0, "length of frames without -frame")
	says := flag.Bool("progress", false, "write the percentage of a large file that has been read, such as 12 %, to "+
		"standard error")
	asJSON := flag.Bool("json", false, "describe the written file in a JSON object")
	o.Limits = budget.Usual
	flag.Var(&o.Limits, "limits", budget.Words)
	flag.StringVar(&o.Sample, "sample", "", "the type of the times of a profile of pprof, such as wall")
	stdin := flag.Bool("stdin", false, "read standard input; TRACE is only its name")
	asVersion := flag.Bool("version", false, "print the version and end")
	flag.Parse()
	if *asVersion {
		if _, err := fmt.Println(version.Line("iprof-import-trace")); err != nil {
			fmt.Fprintln(os.Stderr, "iprof-import-trace:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: iprof-import-trace [-frame NAME | -every 16ms] [-json] TRACE CAPTURE")
		os.Exit(2)
	}
	if *says {
		o.Progress = func(percent int) { fmt.Fprintf(os.Stderr, importer.ProgressLine, percent) }
	}
	source := flag.Arg(0)
	if *stdin {
		source = importer.Stdin
	}
	r, err := run(source, flag.Arg(0), flag.Arg(1), o)
	if err == nil && *asJSON && flag.Arg(1) == "-" {
		err = json.NewEncoder(os.Stderr).Encode(r)
	} else if err == nil && *asJSON {
		err = json.NewEncoder(os.Stdout).Encode(r)
	} else if err == nil {
		fmt.Fprint(os.Stderr, r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes a new file, which it removes after an error, or standard output.
func run(source, from, to string, o importer.Frames) (r importer.Result, err error) {
	in, err := importer.OpenFile(source, o.Limits)
	if err != nil {
		return r, err
	}
	defer in.Close()
	out := os.Stdout
	if to != "-" {
		if out, err = outfile.New(to); err != nil {
			return r, err
		}
		defer func() {
			if err = errors.Join(err, out.Close()); err != nil {
				os.Remove(to)
			}
		}()
	}
	if o.Limits == (budget.Budget{}) {
		o.Limits = budget.Usual
	}
	account := o.Limits.File()
	whole, err := importer.Unpacked(in, account)
	if err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	t, traced, err := readAny(following(whole, o.Progress), o, account)
	if err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	r, err = t.Save(out, from, o)
	r.Traced = traced
	return r, err
}

// following returns the file with a report of progress.
func following(in importer.Reader, say progress.Func) importer.Reader {
	return struct {
		io.ReadSeeker
		io.ReaderAt
	}{progress.Reader(in, say).(io.ReadSeeker), in}
}

// readAny reads an execution trace, or another file compressed with zstd.
func readAny(in importer.Reader, o importer.Frames, account *budget.Account) (t *importer.Trace, traced bool,
	err error) {
	if kind := importer.KindOf(in); kind != importer.KindTrace && kind != importer.KindCapture {
		t, err = o.Read(in, kind, account)
		return t, false, err
	}
	t, err = read(in, account)
	return t, true, err
}

// unpack decompresses zstd. It allows the window of zstd --long.
func unpack(in io.Reader) (io.Reader, error) {
	return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
}

// read reads a trace: the regions, then the states of their goroutines, or of all goroutines without regions.
func read(in io.ReadSeeker, account *budget.Account) (*importer.Trace, error) {
	x := newEvents(account)
	parts, err := eachPart(in, account, x.part)
	if err != nil {
		return nil, err
	}
	if err := x.finish(); err != nil {
		return nil, err
	}
	x.trace.Words = parts.words
	if parts.words != "" {
		x.trace.Unfinished = parts.last
	}
	return x.trace, x.states(in, parts)
}
