//go:build !iprof_off

package iprof

import (
	"io"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// WriteText writes the current view as aligned text. It is the report that the overlay shows. It returns the first
// error of w. Any goroutine may call the functions that write, and zones never wait for them.
func WriteText(w io.Writer) error {
	return text.WriteReport(w, current(), text.Options{})
}

// WriteVerdict writes one line that explains the frame shown if that frame is over budget or unusual, and nothing
// otherwise. While frames are live, it explains the worst frame of the last five seconds, so one call at the end of a
// program is enough. It returns the error of w.
func WriteVerdict(w io.Writer) error {
	return text.WriteVerdict(w, &current().Verdict)
}

// WriteTree writes everything since start or Reset as trees: one for each lane and one for all lanes merged. It adds
// the zones with the largest self time. Open zones and the unfinished frame are included; paused time is not. The trees
// have at most 10,000 stacks, those with the most time; lines such as "… and 12 more" stand for the rest. To write
// all stacks, pass a report.Dump to text.WriteTree. It returns the first error of w.
func WriteTree(w io.Writer) error {
	d := dump(report.DumpOptions{NoFrames: true, Nodes: report.DumpNodes})
	return text.WriteTree(w, d, text.Options{Idle: process.Default().View().Get().ShowIdle})
}

// WriteJSON writes everything since start or Reset as one JSON object. Package draw/text describes its fields. The
// trees of the run are cut like those of WriteTree. To write all stacks, pass a report.Dump to text.WriteJSON. It
// returns the first error of w.
func WriteJSON(w io.Writer) error {
	return text.WriteJSON(w, dump(report.DumpOptions{Nodes: report.DumpNodes}))
}

// WriteHTML writes everything since start or Reset as one HTML document that loads nothing else: the history of frames,
// why the slowest was slow, the ten slowest with their trees, and with their timelines if events are kept (see
// [SetEvents]), trees that fold and tables that sort. Long lists are cut, and say what they leave out. It returns the
// first error of w.
func WriteHTML(w io.Writer) error {
	return html.Write(w, dump(report.DumpPage), html.Options{})
}

// LogEvery writes lines to w once an interval. Each line has a lane, a zone, the lane's time in the zone, and the
// number of entries. Without zones, all public zones have lines. Private zones, which Begin and Func make, never have
// lines. The function stop writes the last lines and ends the log:
//
//	defer iprof.LogEvery(os.Stderr, time.Second, &pool)()
//
// See [console.LogEvery].
func LogEvery(w io.Writer, interval time.Duration, zones ...*Zone) (stop func()) {
	return console.LogEvery(process.Default(), w, interval, zones...)
}

// current returns the default session's current view.
func current() *report.Report {
	r := &report.Report{WantCalls: true}
	process.Default().View().AppendReport(r)
	return r
}

// dump returns the data of the default session.
func dump(o report.DumpOptions) *report.Dump { return process.Default().Dump(o) }

// writeZones writes the table of WriteOnExit on another goroutine. A panic of the writer must not replace a panic that
// ends the program, and a slow writer must not delay the end for long.
func writeZones(w io.Writer) {
	if w == nil {
		return
	}
	d := dump(report.DumpOptions{NoFrames: true, NoHistory: true, NoTrees: true})
	hostwriter.Do(w, func(w io.Writer) { _ = text.WriteZones(w, d, text.Options{}) })
}
