//go:build !(windows || linux || darwin || freebsd || openbsd || dragonfly || solaris)

package platform

import "time"

// reference reads Go's monotonic clock, in nanoseconds.
func reference() int64 { return int64(time.Since(base)) }
