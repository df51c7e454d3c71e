package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"example.com/iprof/capture"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process/report"
)

// exportFile is the command export. It writes a capture in the format of another tool.
func exportFile(args []string) int {
	f, pick := newFlags("export"), selection{}
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	name := f.String("format", "pprof", "write `FORMAT`: see below")
	f.BoolVar(&pick.json, "json", false, "describe the written file in a JSON object")
	pick.addTo(f, tables.Export)
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() == 2 && *output == "-" {
		*output = f.Arg(1)
	} else if f.NArg() != 1 {
		stderr.Println("usage: iprof export [flags] CAPTURE [OUT]; iprof help export has the flags and the formats")
		return 2
	}
	if pick.json && *output == "-" {
		return fail(errNoFile)
	}
	at := slices.IndexFunc(exporter.Formats, func(x exporter.Format) bool { return x.Name == *name })
	if at < 0 {
		stderr.Printf("iprof: there is no format %q; %siprof help export lists them\n", *name, nearFormat(*name))
		return 2
	}
	format := &exporter.Formats[at]
	of, err := pick.exported(format)
	if err != nil {
		fail(err)
		return 2 // of the command line
	}
	code := exportTo(*output, f.Arg(0), func(w io.Writer, in io.Reader) error { return format.Write(w, in, of) })
	if code != 0 {
		return code
	}
	if of.Overlaps > 0 {
		stderr.Printf("iprof: states of goroutines cut because they overlap others: %d\n", of.Overlaps)
	}
	if of.Folded > 0 {
		stderr.Printf("iprof: counted %s deeper than %d zones with those around them; more depth: -limits depth=%d\n",
			printed.Count(of.Folded, "call"), limits.Depth, 10*limits.Depth)
	}
	if pick.json {
		return status(written{File: *output, Frames: of.Frames, Overlaps: of.Overlaps}.print(stdout))
	}
	return 0
}

// nearFormat names the format that a mistyped one means, or is "".
func nearFormat(typed string) string {
	var names []string
	for _, f := range exporter.Formats {
		names = append(names, f.Name)
	}
	if near := report.Nearest(typed, names); near != "" {
		return "did you mean " + near + "? "
	}
	return ""
}

// exported returns the choice for an export in a format.
func (p *selection) exported(format *exporter.Format) (*exporter.Selection, error) {
	of := &exporter.Selection{Lane: p.lane, Budget: p.budget, Account: limits.File(),
		Damaged: func(err *capture.DamageError) { stderr.Println("iprof:", err) }}
	if p.chosen() {
		if err := of.SetFrames(p.words()); err != nil {
			return nil, fmt.Errorf("-frames: %w", err)
		}
	}
	of.Only, _ = p.ids.OneLane()
	if p.ids.Call > 0 {
		return nil, fmt.Errorf("-id %v: an export has no single call; its frame and its goroutine are %v", p.ids,
			p.ids.WithoutCall())
	}
	g, err := tables.NewRegrouper(&tables.Choice{Kind: tables.Export, By: p.by, Zone: p.zone, IDs: p.ids})
	switch {
	case err != nil:
		return nil, err
	case g == nil:
	case !format.HasStacks():
		return nil, fmt.Errorf("%s has each call by its time, not rows: -by and -zone are for pprof, folded, csv and "+
			"openmetrics; the nearest is csv", format.Name)
	default:
		of.Stacks, of.ByFrame = g.Frame, of.ByFrame || p.by == "frame"
	}
	return of, nil
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
