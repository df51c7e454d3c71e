package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/importer"
)

// importFile is the command import. It makes a capture of a file of another tool.
func importFile(args []string) int {
	f := flag.NewFlagSet("import", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: iprof import [-frame NAME | -every 16ms] [-json] TRACE.json CAPTURE\n\n"+
			"  TRACE.json is in Chrome's trace event format. A frame begins with each slice NAME, or every 16.7 ms.\n"+
			"  A file of iprof export has its own frames.")
	}
	var o importer.Frames
	f.StringVar(&o.Name, "frame", "", "")
	f.DurationVar(&o.Every, "every", time.Second/60, "")
	asJSON := f.Bool("json", false, "")
	if err := f.Parse(args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 2 {
		f.Usage()
		return 2
	}
	in, err := os.Open(f.Arg(0))
	if err != nil {
		return fail(err)
	}
	defer in.Close()
	begun := bufio.NewReader(in)
	if begin, _ := begun.Peek(5); string(begin) == "go 1." {
		return fail(fmt.Errorf("%s is an execution trace of Go, which another command imports: "+
			"go run example.com/iprof/exectrace/cmd/import TRACE CAPTURE", f.Arg(0)))
	}
	trace, err := importer.Chrome(begun)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", f.Arg(0), err))
	}
	out, err := os.OpenFile(f.Arg(1), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fail(err)
	}
	w := capture.NewWriter(out, capture.Info{Program: f.Arg(0), GoVersion: "not known", Machine: "not known"})
	frames, err := trace.Write(o, func(t *importer.Trace) { w.TakeEvents(t) }, w.WriteFrame)
	if err = errors.Join(err, w.Close(), out.Close()); err != nil {
		os.Remove(f.Arg(1))
		return fail(err)
	}
	if *asJSON {
		return status(written{File: f.Arg(1), Frames: uint64(frames), Skipped: int(trace.Skipped), Cut: int(trace.Cut),
			Unfinished: trace.Unfinished}.print(os.Stdout))
	}
	fmt.Fprintf(os.Stderr, "%d frames; %d events that are no slices left out, %d slices cut where they leave the one "+
		"around them.\nThe format has no frame budget, no heap, no files and lines, and does not say what waits.\n",
		frames, trace.Skipped, trace.Cut)
	if trace.Unfinished {
		fmt.Fprintln(os.Stderr, "The file has no end; all before it is there.")
	}
	return 0
}
