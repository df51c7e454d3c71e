// Package exporter writes captures in the formats of other tools, for the commands.
package exporter

import (
	"io"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Format is a file format for sums over all frames, for a stream of frames, or for both: see Selection.ByFrame.
type Format struct {
	Name, Title, Extension string
	Words                  string // names the tools that read it
	sums                   func(io.Writer, *report.Dump) error
	frames                 func(io.Writer, string) *export.Frames
	stacks                 bool // writes whole stacks of frames: the size grows with the square of the depth
}

// HasStacks reports whether a format has sums of stacks, not single calls: see Selection.Stacks.
func (x *Format) HasStacks() bool { return x.stacks || x.sums != nil || x.Name == "openmetrics" }

// Formats are all formats.
var Formats = []Format{
	{"pprof", "pprof", ".pb.gz", "go tool pprof, Parca, Pyroscope; with -frames by frame, for -tagroot frame",
		export.Pprof, export.NewPprof, true},
	{"perfetto", "Perfetto", ".perfetto-trace", "every frame, for ui.perfetto.dev", nil, export.NewPerfetto, false},
	{"chrome", "Chrome JSON", ".json", "every frame as JSON, for chrome://tracing, Perfetto and speedscope", nil,
		export.NewChrome, false},
	{"folded", "folded stacks", ".folded.txt", "lines of stacks, for flame graph scripts", export.Folded, nil, false},
	{"csv", "CSV", ".csv", "every stack of every frame, for spreadsheets and scripts", nil,
		func(w io.Writer, _ string) *export.Frames { return export.NewCSV(w) }, true},
	{"openmetrics", "OpenMetrics", ".metrics.txt",
		"frame times and zones, in the text format of Prometheus", nil, nil, false},
	{Trace, "Go execution trace", ".trace", "the execution trace in a black box's file, for go tool trace", nil,
		nil, false},
}

// Trace is the name of the format for execution traces, which only files of black boxes have.
const Trace = "trace"

// Write writes the chosen frames of a capture. For the slowest frames, and for a section, it reads the capture once
// more each; it copies a stream to a file for that.
//
// Costs beyond pick.Account are an error. But Write folds stacks that are too deep, and counts them.
func (x *Format) Write(w io.Writer, in io.Reader, pick *Selection) error {
	w = pick.Account.Writer(w)
	if pick.words != "" || pick.Lens.Kind == report.LensSlowest {
		file, done, err := again(in)
		if err != nil {
			return err
		}
		defer done()
		start := func() (*framefile.Reader, error) {
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				return nil, err
			}
			return framefile.NewReader(file)
		}
		if err := pick.settle(start); err != nil {
			return err
		}
		if _, err = file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		in = file
	}
	r, err := framefile.NewReader(pick.Account.Reader(in))
	if err != nil {
		return err
	}
	return x.write(w, r, pick)
}

func (x *Format) write(w io.Writer, r *framefile.Reader, pick *Selection) error {
	if x.Name == Trace {
		_, err := r.WriteTrace(w)
		return err
	}
	if x.frames != nil && (x.sums == nil || pick.ByFrame) {
		return x.stream(w, r, pick)
	}
	s, m := process.NewSession(), new(export.Metrics)
	s.SetHistoryLimits(process.HistoryLimits{Frames: 1}) // sums need no history
	if x.sums == nil {
		defer s.AddSink(m)()
	}
	err := pick.Each(r, func(f *gather.Frame) error {
		if b := r.Budget(); b > 0 && b != s.FrameBudget() {
			s.SetFrameBudget(b)
		}
		return s.WriteFrame(f)
	})
	if err != nil {
		return err
	}
	if h := r.Hot(); h != nil && pick.isAll() { // shares of the whole run
		s.SetSources(func(c *process.Sources) { c.Hot = h })
		m.TakeHot(h)
	}
	if x.sums == nil {
		return m.WriteOpenMetrics(w)
	}
	i := r.Info()
	s.SetSources(func(c *process.Sources) {
		c.Program = report.Program{Name: i.Program, GoVersion: i.GoVersion, Machine: i.Machine, Start: i.Start,
			Kind: i.Kind}
	})
	d := s.Dump(report.DumpOptions{NoFrames: true})
	for i := range d.Lanes {
		pick.Folded += foldTree(&d.Lanes[i], pick.Account.Depth())
	}
	return x.sums(w, d)
}

func (x *Format) stream(w io.Writer, r *framefile.Reader, pick *Selection) error {
	var to *export.Frames
	shallow := folder{depth: pick.Account.Depth()}
	pick.skipped = func(f *gather.Frame) {
		if to != nil {
			to.TakeStates(f)
		}
	}
	err := pick.Each(r, func(f *gather.Frame) error {
		if to == nil {
			to = x.frames(w, r.Info().Program)
		}
		if !x.stacks {
			return to.WriteJudged(f, r.Judged())
		}
		shallow.fold(f)
		return to.WriteFrame(f)
	})
	if err != nil {
		return err
	}
	err = to.Close()
	pick.Overlaps, pick.Folded = to.Overlaps(), shallow.calls
	return err
}
