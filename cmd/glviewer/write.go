package main

import (
	"io"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// The root package's writers know nothing of a recording when the profiler is compiled out. A viewer shows recordings
// in such a build, too, so it writes its session.

func writeText(w io.Writer) error {
	var r process.Report
	process.Default().AppendReport(&r)
	return text.WriteReport(w, &r, text.Options{})
}

func writePage(w io.Writer) error {
	d := process.Default().Dump(process.DumpPage)
	return html.Write(w, d, html.WholeRun)
}
