// Package samples reads the CPU profile of the program without package runtime/pprof, which would start a goroutine
// that everybody sees.
package samples

import (
	"runtime"
	"unsafe"
)

// Buffer is the size in bytes of the buffer that Start allocates for samples, and BufferObjects its number of objects:
// see newProfBuf in the runtime. TestTheHeapIsTheProgramsOwn in internal/instrument notices when that changes.
const (
	Buffer        = 8<<17 + 8<<14 // words and labels
	BufferObjects = 3
)

// Start begins a profile with hz samples per second of processor time. On Linux, threads made by C code have no
// samples.
func Start(hz int) {
	runtime.SetCPUProfileRate(hz)
	stopTimer()
}

// Stop ends the profile and calls each with its records, in parts. A record has its length, the time, a count and a
// stack, a word each; the first one has the rate. Stop never waits for samples: a profile that goes on cannot be read
// without that, even if the program works, as each thread's first sample comes when it has worked for a while. One
// goroutine at a time may call Start and Stop.
func Stop(each func(records []uint64)) {
	runtime.SetCPUProfileRate(0)
	for {
		records, _, end := readProfile()
		if end {
			return
		}
		each(records)
	}
}

// readProfile is the function of package runtime/pprof. The runtime keeps its signature for other callers
// (runtime/cpuprof.go). Checked with Go 1.25 and 1.26; TestTheReportHasTheHottestLines in internal/instrument notices
// when it changes.
//
//go:linkname readProfile runtime/pprof.readProfile
func readProfile() (records []uint64, tags []unsafe.Pointer, end bool)
