// Package export writes the data of a session in the formats of other tools.
//
//	d := process.Default().Dump(process.DumpOptions{NoFrames: true})
//	err := export.Speedscope(w, d) // or Folded; package export/pprof for go tool pprof
//
// Times are self times in nanoseconds. They are sums since start or Reset, or over all frames of a capture. The comment
// of each function lists the numbers that its format leaves out. Characters of zone names that a format cannot hold are
// replaced.
package export
