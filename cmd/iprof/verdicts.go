package main

import (
	"fmt"
	"io"

	"example.com/iprof/capture"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostVerdicts is how many verdicts are listed: those on the newest frames.
const mostVerdicts = 1000

// appendVerdicts appends the verdicts on the frames over budget, oldest first, or on the slowest ones if there are
// none. left is the number of further frames over budget.
func appendVerdicts(s *process.Session) (list []report.Verdict, left int) {
	frames := s.AppendFrames(nil, int(s.Info().Frames))
	over := 0
	for age := range frames {
		f := &frames[len(frames)-1-age]
		if !f.Over {
			continue
		}
		if over++; len(list) == mostVerdicts {
			left++
			continue
		}
		var v report.Verdict
		if s.VerdictOf(&v, age) {
			list = append(list, v)
		}
	}
	if over == 0 {
		list = slowVerdicts(s, frames)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, left
}

// slowVerdicts are the verdicts on the slowest frames that are in the history, newest first.
func slowVerdicts(s *process.Session, frames []report.FrameSummary) (list []report.Verdict) {
	slow := map[uint64]bool{}
	for _, f := range s.AppendSlowest(nil) {
		slow[f.Index] = true
	}
	for age := range frames {
		var v report.Verdict
		if slow[frames[len(frames)-1-age].Index] && s.VerdictOf(&v, age) {
			list = append(list, v)
		}
	}
	return list
}

// verdicts writes a sentence about each frame over budget.
func verdicts(w io.Writer, s *process.Session, c *capture.Contents) error {
	describeCapture(w, c)
	list, left := appendVerdicts(s)
	if left > 0 {
		fmt.Fprintf(w, "%d older frames over budget are left out\n", left)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no frame is over budget or unusual")
		return err
	}
	for i := range list {
		if err := text.WriteVerdict(w, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// graph is the command graph. It writes the callers and the callees of a zone.
func graph(args []string) int {
	f := newFlags("graph")
	output := f.String("o", "-", "write to this `FILE`; - is standard output")
	asJSON := f.Bool("json", false, "write one JSON object")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 2 {
		stderr.Println("usage: iprof graph [flags] ZONE CAPTURE, as: iprof graph physics game.iprof")
		return 2
	}
	zone := f.Arg(0)
	return showFile(f.Arg(1), *output, func(w io.Writer, s *process.Session, c *capture.Contents) error {
		r, err := graphOf(s, zone)
		if err != nil {
			return err
		}
		if *asJSON {
			return writeJSON(w, rowsOf(r, c))
		}
		describeCapture(w, c)
		return text.WriteReport(w, r, text.Options{})
	})
}

// graphOf returns the call graph around a zone, in the mean of all frames.
func graphOf(s *process.Session, name string) (*report.Report, error) {
	id, err := findZone(s, name)
	if err != nil {
		return nil, err
	}
	s.SetView(report.View{Mode: report.ReportCallGraph, Focus: id})
	s.SetLens(report.Lens{Kind: report.LensAll})
	r := new(report.Report)
	s.AppendReport(r)
	return r, nil
}
