package iprof

import (
	"io"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// WriteText writes the current view, the report that the overlay shows, as aligned text. It returns the writer's first
// error. Like all writers it may be called from any goroutine while others measure, and takes no lock that a zone needs.
func WriteText(w io.Writer) error {
	var report process.Report
	process.Default().AppendReport(&report)
	return text.WriteReport(w, &report, text.Options{})
}

// WriteCSV writes the current view as comma-separated values; package draw/text describes the columns.
func WriteCSV(w io.Writer) error {
	var report process.Report
	process.Default().AppendReport(&report)
	return text.WriteCSV(w, &report)
}

// WriteTree writes everything since start or Reset as drawn trees, one a lane and one of all lanes merged, and the zones
// with the largest self time. Open zones and the unfinished frame are included, paused time is not.
func WriteTree(w io.Writer) error {
	return text.WriteTree(w, process.Default().Dump(process.DumpOptions{NoFrames: true}), text.Options{})
}

// WriteJSON writes everything since start or Reset as one JSON object; package draw/text describes its fields.
func WriteJSON(w io.Writer) error {
	return text.WriteJSON(w, process.Default().Dump(process.DumpOptions{}))
}

// WriteHTML writes everything since start or Reset as one page that needs nothing else: trees that fold, tables that sort
// and filter, the history with the trees of its slowest and newest frames. Worth mailing and keeping.
func WriteHTML(w io.Writer) error {
	return html.Write(w, process.Default().Dump(process.DumpOptions{}), html.Options{})
}
