package main

import (
	"fmt"
	"io"
	"os"

	"example.com/iprof/capture"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/progress"
)

// exportFile is the command export. It writes a capture in the format of another tool.
func exportFile(args []string) int {
	f := newFlags("export")
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	name := f.String("format", "pprof", "write `FORMAT`: see below")
	asJSON := f.Bool("json", false, "describe the written file in a JSON object")
	pick := exporter.Selection{Damaged: func(err *capture.DamageError) { stderr.Println("iprof:", err) }}
	f.Func("frames", framesUsage, pick.SetFrames)
	f.StringVar(&pick.Lane, "lane", "", "only goroutines whose name contains `NAME`")
	f.DurationVar(&pick.Budget, "budget", 0,
		"the frame budget for -frames over and within is `5ms`, in place of the capture's")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() == 2 && *output == "-" {
		*output = f.Arg(1)
	} else if f.NArg() != 1 {
		stderr.Println("usage: iprof export [flags] CAPTURE [OUT]; iprof help export has the flags and the formats")
		return 2
	}
	if *asJSON && *output == "-" {
		return fail(errNoFile)
	}
	pick.Account = limits.File()
	for _, format := range exporter.Formats {
		if format.Name == *name {
			code := exportTo(*output, f.Arg(0), func(w io.Writer, in io.Reader) error {
				return format.Write(w, in, &pick)
			})
			if code == 0 && pick.Overlaps > 0 {
				stderr.Printf("iprof: states of goroutines cut because they overlap others: %d\n", pick.Overlaps)
			}
			if code == 0 && pick.Folded > 0 {
				stderr.Printf("iprof: counted %s deeper than %d zones with those around them; more depth: "+
					"-limits depth=%d\n", printed.Count(pick.Folded, "call"), limits.Depth, 10*limits.Depth)
			}
			if code == 0 && *asJSON {
				o := written{File: *output, Frames: pick.Frames, Overlaps: pick.Overlaps}
				return status(o.print(stdout))
			}
			return code
		}
	}
	stderr.Printf("iprof: there is no format %q; iprof help export lists them\n", *name)
	return 2
}

// exportTo writes an export of a file. On failure it leaves the output file unchanged.
func exportTo(output, path string, write func(io.Writer, io.Reader) error) int {
	if err := beforeReading(path, output); err != nil {
		return fail(err)
	}
	in, err := source(path)
	if err != nil {
		return fail(err)
	}
	defer in.Close()
	export := func(w io.Writer) error {
		return errorOf(path, write(w, progress.Reader(in, progress.Terminal("iprof"))))
	}
	if output == "-" {
		return status(export(os.Stdout))
	}
	return status(outfile.Write(output, export))
}

// errorOf puts the name of a file before an error.
func errorOf(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}
