// Package leaks runs Go's own search for leaked goroutines. It is apart from package goroutines because it takes much
// code.
package leaks

import (
	"io"
	"runtime/pprof"
)

// Search finds the goroutines that nothing can ever wake, and reports whether the toolchain can: Go 1.26 with
// GOEXPERIMENT=goroutineleakprofile. The runtime then prints "(leaked)" in their stacks. It is a collection during
// which the program stands still, longer than in others. Any goroutine may call it.
func Search() bool {
	p := pprof.Lookup("goroutineleak")
	return p != nil && p.WriteTo(io.Discard, 0) == nil
}
