package main

import (
	"io"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// writeText writes the session's report. The root package's writer knows no recordings when the profiler is compiled
// out, but a viewer shows them in such a build, too.
func writeText(w io.Writer) error {
	var r report.Report
	process.Default().View().AppendReport(&r)
	return text.WriteReport(w, &r, text.Options{})
}
