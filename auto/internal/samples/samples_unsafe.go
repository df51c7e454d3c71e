// Package samples reads the CPU profile of the program without package runtime/pprof, which would start a goroutine
// that everybody sees.
package samples

import "unsafe"

// Read returns the records of the CPU profiler since the last time, and whether the profile has ended. A record has its
// length, the time, a count and a stack, a word each. Without records Read waits for some, unless the profile has
// ended. One goroutine at a time may call it.
func Read() (records []uint64, end bool) {
	records, _, end = readProfile()
	return records, end
}

// readProfile is that of package runtime/pprof. The runtime keeps it in this form for others that call it
// (runtime/cpuprof.go). Checked with Go 1.25 and 1.26; TestTheReportHasTheHottestLines in internal/instrument notices
// when it changes.
//
//go:linkname readProfile runtime/pprof.readProfile
func readProfile() (records []uint64, tags []unsafe.Pointer, end bool)
