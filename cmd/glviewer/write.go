package main

import (
	"io"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The root package's writers know nothing of a recording when the profiler is compiled out. A viewer shows recordings
// in such a build, too, so it writes its session.

func writeText(w io.Writer) error {
	var r report.Report
	process.Default().AppendReport(&r)
	return text.WriteReport(w, &r, text.Options{})
}

func writePage(w io.Writer) error {
	d := process.Default().Dump(report.DumpPage)
	return html.Write(w, d, html.WholeRun)
}
