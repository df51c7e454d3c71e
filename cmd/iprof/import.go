package main

import (
	"fmt"

	"example.com/iprof/internal/importer"
)

// importFile is the command import. It makes a capture of a file of another tool, which other commands take as it is,
// with the usual frames.
func importFile(args []string) int {
	f := newFlags("import")
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: iprof import [-frame NAME | -every 16ms] [-json] [-limits …] "+
			"TRACE CAPTURE\n\n"+
			"  TRACE is in Chrome's trace event format (JSON), an execution trace of Go, a profile of pprof or V8,\n"+
			"  a file of speedscope, folded stacks, or a trace of Perfetto; also compressed: docs/files.md.\n"+
			"  A frame begins with each slice or region NAME. Without -frame it is each \"frame\", or else 16.7 ms,\n"+
			"  or longer in long files. A file of iprof export has its own frames, a profile of sums is one.")
	}
	var o importer.Frames
	f.StringVar(&o.Name, "frame", "", "")
	f.DurationVar(&o.Every, "every", 0, "")
	asJSON := f.Bool("json", false, "")
	if err := f.Parse(args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 2 {
		f.Usage()
		return 2
	}
	o.Limits, o.Reading = limits, newProgress
	r, err := importer.File(f.Arg(0), f.Arg(1), o)
	if err != nil {
		return fail(err)
	}
	if *asJSON {
		return status(written{File: f.Arg(1), Frames: uint64(r.Frames), Skipped: r.Skipped, Cut: r.Cut,
			Unfinished: r.Unfinished, Left: r.Left, Changed: r.Changed, Note: r.Note}.print(stdout))
	}
	stderr.Printf("%v", r)
	return 0
}

// sayImported says in a line what is not as in a file of another tool, if anything is not.
func sayImported(name string, r *importer.Result) {
	if r == nil {
		return
	}
	if line := r.Line(); line != "" {
		stderr.Printf("iprof: %s: %s\n", name, line)
	}
}
