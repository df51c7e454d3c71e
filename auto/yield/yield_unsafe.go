// Package yield stops the profiler's CPU samples when the program begins a CPU profile of its own.
//
// The command imports it in the main package of programs that have package runtime/pprof, into which it inserts a call
// of before at the beginning of StartCPUProfile.
package yield

import (
	_ "unsafe" // for linkname

	"example.com/iprof/auto"
)

// before is declared in the rewritten package runtime/pprof: see hookProfiles in internal/instrument.
// TestAProgramThatProfilesItself there notices when that no longer fits.
//
//go:linkname before runtime/pprof.iprofBefore
var before func()

func init() { before = auto.YieldProfile }
