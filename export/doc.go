// Package export writes the data of a session, or of a capture, in the formats of other tools.
//
//	d := process.Default().Dump(report.DumpOptions{NoFrames: true})
//	err := export.Pprof(w, d) // or Folded
//
// These formats have sums since start or Reset, or over all frames of a capture. Other formats have each frame. They
// are sinks:
//
//	x := export.NewPerfetto(w, "game") // or NewChrome, NewPprof, NewCSV
//	remove := process.Default().AddSink(x)
//	… // the program runs, and waits for w at the end of each frame
//	remove()
//	err := x.Close()
//
// A program that must not wait for w records a capture instead; "iprof export" converts it. [Metrics] counts frames and
// zones for Prometheus.
//
// Times are in nanoseconds, as exact as the session's. The comment of each function lists the data that its format
// leaves out. Characters of zone names that a format cannot hold are replaced. All text is valid UTF-8.
package export
