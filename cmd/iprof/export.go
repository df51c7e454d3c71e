package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"example.com/iprof/capture"
	"example.com/iprof/internal/exporter"
)

// exportFile is the command export. It writes a capture in the format of another tool.
func exportFile(args []string) int {
	f := flag.NewFlagSet("export", flag.ContinueOnError)
	f.Usage = func() { exportUsage(f.Output()) }
	output := f.String("o", "-", "")
	name := f.String("format", "pprof", "")
	asJSON := f.Bool("json", false, "")
	pick := exporter.Selection{Damaged: func(err *capture.DamageError) { fmt.Fprintln(os.Stderr, "iprof:", err) }}
	f.Func("frames", "", pick.SetFrames)
	f.StringVar(&pick.Lane, "lane", "", "")
	if err := f.Parse(args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() == 2 && *output == "-" {
		*output = f.Arg(1)
	} else if f.NArg() != 1 {
		exportUsage(os.Stderr)
		return 2
	}
	if *asJSON && *output == "-" {
		return fail(errNoFile)
	}
	for _, format := range exporter.Formats {
		if format.Name == *name {
			code := exportTo(*output, f.Arg(0), func(w io.Writer, r *capture.Reader) error {
				return format.Write(w, r, &pick)
			})
			if code == 0 && *asJSON {
				return status(written{File: *output, Frames: pick.Frames}.print(os.Stdout))
			}
			return code
		}
	}
	fmt.Fprintf(os.Stderr, "iprof: there is no format %q\n", *name)
	exportUsage(os.Stderr)
	return 2
}

func exportUsage(w io.Writer) {
	fmt.Fprint(w, "usage: iprof export [-format F] [-frames A-B] [-lane NAME] [-json] CAPTURE [OUT]\n\n")
	for _, f := range exporter.Formats {
		fmt.Fprintf(w, "  -format %-11s  %s\n", f.Name, f.Words)
	}
	fmt.Fprint(w, `
  -frames A-B          only the frames with these numbers; -frames A is one frame
  -lane NAME           only goroutines whose name contains NAME
  -json                say as a JSON object what was written to OUT
`)
}

// exportTo opens both files. The output is removed if the export fails.
func exportTo(output, path string, write func(io.Writer, *capture.Reader) error) int {
	in, err := source(path)
	if err != nil {
		return fail(err)
	}
	defer in.Close()
	r, err := capture.NewReader(newProgress(in))
	if err != nil {
		return fail(fmt.Errorf("%s: %w", path, err))
	}
	if output == "-" {
		return status(write(os.Stdout, r))
	}
	out, err := os.Create(output)
	if err != nil {
		return fail(err)
	}
	err = errors.Join(write(out, r), out.Close())
	if err != nil {
		os.Remove(output)
	}
	return status(err)
}
