package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/printed"
)

// mostRequests is the greatest number of handlers that describe names.
const mostRequests = 3

// describe prints the number of measured functions and the ends of frames, in a line or two.
func describe(w io.Writer, p *instrument.Plan, a *arguments) {
	fmt.Fprintf(w, "iprof: %d of %d functions have a zone (iprof run -n lists them)\n", p.Chosen, p.Count)
	a.unmatched(w, p)
	if n := len(p.Requests); n > mostRequests {
		fmt.Fprintf(w, "iprof: each request of %s is measured under its route\n", printed.Count(n, "handler"))
	} else {
		for _, name := range p.Requests {
			fmt.Fprintf(w, "iprof: each request of %s is measured under its route\n", printed.Of(name))
		}
	}
	if a.whyNoLines != "" && a.verb != "build" {
		fmt.Fprintf(w, "iprof: %s, so the report has no source lines and no waiting times\n", a.whyNoLines)
	}
	switch {
	case a.every > 0:
		fmt.Fprintf(w, "iprof: a frame ends every %v\n", a.every)
	case len(p.Frames) > 0:
		for _, f := range p.Frames {
			fmt.Fprintf(w, "iprof: a frame ends %s\n", printed.Of(f))
		}
	}
}

// unmatched says that no function has a name like -include. A plan of a start before has no functions: its first start
// has said it.
func (a *arguments) unmatched(w io.Writer, p *instrument.Plan) {
	include := a.plan.Selection.Include
	if include == nil || len(p.Functions) == 0 {
		return
	}
	if !slices.ContainsFunc(p.Functions, func(f *instrument.Function) bool { return include.MatchString(f.Full()) }) {
		fmt.Fprintf(w, "iprof: no function name matches -include %s\n", printed.Of(include.String()))
	}
}

// linesRefused returns the reason for a report without the lines that the user wants, "" if it has them.
func linesRefused(system string, profilesItself bool) string {
	switch {
	case !auto.HasLines(system):
		return "the CPU profile is not read on " + system
	case profilesItself:
		return "the program may take CPU profiles itself, and this version of Go is unknown"
	}
	return ""
}

// printPlan lists all functions, with the reason for each one without a zone.
func (a *arguments) printPlan(w io.Writer) (status int) {
	p, err := a.plan.Plan()
	if err != nil {
		return fail(err)
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, f := range p.Functions {
		sign, why := "+", ""
		if f.Reason != "" {
			sign, why = "-", f.Reason
		}
		file := printed.Of(fromHere(f.File))
		fmt.Fprintf(t, "%s %s\t%s:%d\t%s\n", sign, printed.Of(f.Full()), file, f.Line, printed.Of(why))
	}
	t.Flush()
	fmt.Fprintf(w, "%d of %d functions would have a zone\n", p.Chosen, p.Count)
	a.unmatched(w, p)
	return 0
}

// fromHere returns a path below the working directory as a relative one, and others unchanged.
func fromHere(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if name, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(name) {
		return name
	}
	return path
}
