package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"example.com/iprof/capture"
	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// format is a format of the command export: of sums over all frames, or of a stream of frames.
type format struct {
	name, words string
	sums        func(io.Writer, *process.Dump) error
	frames      func(io.Writer, string) *export.Frames
}

var formats = []format{
	{"pprof", "go tool pprof, Parca, Pyroscope", export.Pprof, nil},
	{"perfetto", "every frame, for ui.perfetto.dev", nil, export.NewPerfetto},
	{"chrome", "every frame as JSON, for chrome://tracing, Perfetto and speedscope", nil, export.NewChrome},
	{"speedscope", "every call for speedscope.app; sums where there are no events", nil, export.NewSpeedscope},
	{"folded", "lines of stacks, for flame graph scripts", export.Folded, nil},
	{"csv", "every stack of every frame, for spreadsheets and scripts", nil,
		func(w io.Writer, _ string) *export.Frames { return export.NewCSV(w) }},
	{"openmetrics", "frame times and zones, as Prometheus would have read them at the end", nil, nil},
	{traceFormat, "the execution trace in a black box's file, for go tool trace", nil, nil},
}

const traceFormat = "trace"

// exportFile is the command export. It writes a capture in the format of another tool.
func exportFile(args []string) int {
	f := flag.NewFlagSet("export", flag.ContinueOnError)
	f.Usage = func() { exportUsage(f.Output()) }
	output := f.String("o", "-", "")
	name := f.String("format", "pprof", "")
	asJSON := f.Bool("json", false, "")
	var pick selection
	f.Func("frames", "", pick.setFrames)
	f.StringVar(&pick.lane, "lane", "", "")
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
	for _, format := range formats {
		if format.name == *name {
			code := exportTo(*output, f.Arg(0), func(w io.Writer, r *capture.Reader) error {
				return format.write(w, r, &pick)
			})
			if code == 0 && *asJSON {
				return status(written{File: *output, Frames: pick.frames}.print(os.Stdout))
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
	for _, f := range formats {
		fmt.Fprintf(w, "  -format %-11s  %s\n", f.name, f.words)
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

// write writes the chosen frames of a capture.
func (x *format) write(w io.Writer, r *capture.Reader, pick *selection) error {
	if x.name == traceFormat {
		_, err := r.WriteTrace(w)
		return err
	}
	if x.frames != nil {
		var to *export.Frames
		err := pick.each(r, func(f *gather.Frame) error {
			if to == nil {
				to = x.frames(w, r.Info().Program)
			}
			to.TakeEvents(r.Events())
			return to.WriteFrame(f)
		})
		if err != nil {
			return err
		}
		return to.Close()
	}
	s, m := process.NewSession(), new(export.Metrics)
	s.SetHistoryLimits(process.HistoryLimits{Frames: 1}) // sums need none
	if x.sums == nil {
		defer s.AddSink(m)()
	}
	err := pick.each(r, func(f *gather.Frame) error {
		if b := r.Budget(); b > 0 && b != s.FrameBudget() {
			s.SetFrameBudget(b)
		}
		return s.WriteFrame(f)
	})
	if err != nil {
		return err
	}
	if x.sums == nil {
		return m.WriteOpenMetrics(w)
	}
	i := r.Info()
	s.SetProgram(process.Program{Name: i.Program, GoVersion: i.GoVersion, Machine: i.Machine, Start: i.Start})
	return x.sums(w, s.Dump(process.DumpOptions{NoFrames: true}))
}

// selection chooses frames and lanes of a capture.
type selection struct {
	first, last uint64
	some        bool // only first to last
	lane        string
	frames      uint64 // how many each has chosen
}

func (p *selection) setFrames(s string) (err error) {
	a, b, isRange := strings.Cut(s, "-")
	if !isRange {
		b = a
	}
	if p.first, err = strconv.ParseUint(a, 10, 64); err == nil {
		p.last, err = strconv.ParseUint(b, 10, 64)
	}
	if p.some = true; err != nil || p.first > p.last {
		return errors.New("want a number of a frame, or two as in 100-200")
	}
	return nil
}

// each calls to with each chosen frame. It says what is damaged and goes on. It is an error if no frame is chosen.
func (p *selection) each(r *capture.Reader, to func(*gather.Frame) error) error {
	var f gather.Frame
	for p.frames = 0; ; {
		err := r.Next(&f)
		var damage *capture.DamageError
		switch {
		case errors.Is(err, io.EOF) && p.frames == 0:
			return errors.New("the capture has no such frame")
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &damage):
			fmt.Fprintln(os.Stderr, "iprof:", damage)
			continue
		case err != nil:
			return err
		}
		if p.some && (f.Index < p.first || f.Index > p.last) {
			continue
		}
		p.frames++
		if err := to(p.lanes(&f)); err != nil {
			return err
		}
	}
}

// lanes takes the other lanes away. It swaps them to the end, so that the reader can use their memory again.
func (p *selection) lanes(f *gather.Frame) *gather.Frame {
	if p.lane == "" {
		return f
	}
	g, n := *f, 0
	for i := range f.Lanes {
		if strings.Contains(f.Lanes[i].Name, p.lane) {
			f.Lanes[n], f.Lanes[i] = f.Lanes[i], f.Lanes[n]
			n++
		}
	}
	g.Lanes = f.Lanes[:n]
	return &g
}
