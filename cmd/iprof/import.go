package main

import (
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/progress"
)

// importFile is the command import. It makes a capture from a file of another tool. Other commands read such a file
// directly, with the usual frames.
func importFile(args []string) int {
	f := newFlags("import")
	var o importer.Frames
	f.StringVar(&o.Name, "frame", "", "a frame begins with each slice or region `NAME`")
	f.DurationVar(&o.Every, "every", 0, "a frame ends every `16ms`")
	asJSON := f.Bool("json", false, "describe the written file in a JSON object")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 2 {
		stderr.Println("usage: iprof import [flags] TRACE CAPTURE; iprof help import has the flags")
		return 2
	}
	o.Limits, o.Sample, o.Progress = limits, sample, progress.Terminal("iprof")
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

// sayImported prints in a line the differences between the capture and the imported file, if any.
func sayImported(name string, r *importer.Result) {
	if r == nil {
		return
	}
	if line := r.Line(); line != "" {
		stderr.Printf("iprof: %s: %s\n", name, line)
	}
}
