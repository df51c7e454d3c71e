//go:build !windows

package platform

// reference reads the machine's monotonic clock, in nanoseconds.
func reference() int64 { return nanotime() }
