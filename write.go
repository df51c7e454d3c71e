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
	return text.WriteReport(w, report(0), text.Options{})
}

// WriteCSV writes the current view as comma-separated values; package draw/text describes the columns.
func WriteCSV(w io.Writer) error {
	r := report(process.AllColumns)
	if !Enabled { // a table has no place for warnings
		r.Records = append(r.Records, process.Record{Zone: -1, Path: -1, Name: compiledOut, Group: process.GroupFocus})
	}
	return text.WriteCSV(w, r)
}

// WriteTree writes everything since start or Reset as drawn trees, one a lane and one of all lanes merged, and the zones
// with the largest self time. Open zones and the unfinished frame are included, paused time is not.
func WriteTree(w io.Writer) error {
	return text.WriteTree(w, dump(process.DumpOptions{NoFrames: true}), text.Options{})
}

// WriteJSON writes everything since start or Reset as one JSON object; package draw/text describes its fields.
func WriteJSON(w io.Writer) error {
	return text.WriteJSON(w, dump(process.DumpOptions{}))
}

// WriteHTML writes everything since start or Reset as one page that needs nothing else: trees that fold, tables that sort
// and filter, the history with the trees of its slowest and newest frames. Worth mailing and keeping.
func WriteHTML(w io.Writer) error {
	return html.Write(w, dump(process.DumpOptions{}), html.Options{})
}

// compiledOut is what every writer says in a program that was built with the tag iprof_off.
const compiledOut = "the profiler is compiled out (tag iprof_off): nothing was measured"

// report is the default session's current view, with the columns that are wanted beside its own.
func report(want process.ColumnSet) *process.Report {
	r := &process.Report{Want: want}
	process.Default().AppendReport(r)
	if !Enabled {
		r.Warnings = append([]string{compiledOut}, r.Warnings...)
	}
	return r
}

// dump is everything the default session holds.
func dump(o process.DumpOptions) *process.Dump {
	d := process.Default().Dump(o)
	if !Enabled {
		d.Warnings = append([]string{compiledOut}, d.Warnings...)
	}
	return d
}
