//go:build !windows

package platform

import "time"

// reference reads the machine's monotonic clock, in nanoseconds.
func reference() int64 { return int64(time.Since(base)) }
