package main

import (
	"fmt"
	"io"
	"os"

	"example.com/iprof/capture"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/outfile"
)

// exportFile is the command export. It writes a capture in the format of another tool.
func exportFile(args []string) int {
	f := newFlags("export")
	f.Usage = func() { exportUsage(f.Output()) }
	output := f.String("o", "-", "")
	name := f.String("format", "pprof", "")
	asJSON := f.Bool("json", false, "")
	pick := exporter.Selection{Damaged: func(err *capture.DamageError) { stderr.Println("iprof:", err) }}
	f.Func("frames", "", pick.SetFrames)
	f.StringVar(&pick.Lane, "lane", "", "")
	f.BoolVar(&pick.Over, "over", false, "")
	f.BoolVar(&pick.Within, "within", false, "")
	f.IntVar(&pick.Slowest, "slowest", 0, "")
	f.DurationVar(&pick.Budget, "budget", 0, "")
	if err := f.Parse(args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() == 2 && *output == "-" {
		*output = f.Arg(1)
	} else if f.NArg() != 1 {
		exportUsage(stderr)
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
				stderr.Printf("iprof: %d states of goroutines overlap others and are cut\n", pick.Overlaps)
			}
			if code == 0 && pick.Folded > 0 {
				stderr.Printf("iprof: %d calls deeper than %d zones are counted with those around them; more depth: "+
					"-limits depth=%d\n", pick.Folded, limits.Depth, 10*limits.Depth)
			}
			if code == 0 && *asJSON {
				o := written{File: *output, Frames: pick.Frames, Overlaps: pick.Overlaps}
				return status(o.print(stdout))
			}
			return code
		}
	}
	stderr.Printf("iprof: there is no format %q\n", *name)
	exportUsage(stderr)
	return 2
}

func exportUsage(w io.Writer) {
	fmt.Fprint(w, "usage: iprof export [-format F] [-frames A-B] [-over | -within] [-slowest N] [-lane NAME] "+
		"CAPTURE [OUT]\n\n")
	for _, f := range exporter.Formats {
		fmt.Fprintf(w, "  -format %-11s  %s\n", f.Name, f.Words)
	}
	fmt.Fprint(w, `
  -frames A-B          only the frames with these numbers; -frames A is one frame
  -over, -within       only the frames over the frame budget, or those within it
  -slowest N           only the N frames with the most busy time
  -budget 5ms          the frame budget for -over and -within, in place of the capture's
  -lane NAME           only goroutines whose name contains NAME
  -limits depth=N,…    allow deeper stacks, larger files and more: see iprof help
  -json                say as a JSON object what was written to OUT
`)
}

// exportTo writes an export of a file. If it fails, the output stays as it was.
func exportTo(output, path string, write func(io.Writer, io.Reader) error) int {
	if err := differ(path, output); err != nil {
		return fail(err)
	}
	in, err := source(path)
	if err != nil {
		return fail(err)
	}
	defer in.Close()
	export := func(w io.Writer) error { return errorOf(path, write(w, newProgress(in))) }
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
