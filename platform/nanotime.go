package platform

import _ "unsafe" // for go:linkname

// nanotime is the runtime's monotonic clock in nanoseconds. It is the only function linked by name from the runtime,
// and the runtime promises to keep it (runtime/time_nofake.go, Go 1.26). time.Since stands still in the bubbles of
// testing/synctest, and takes longer. TestFirstUseInABubble in package measure fails if nanotime changes.
//
//go:linkname nanotime runtime.nanotime
//go:noescape
func nanotime() int64
