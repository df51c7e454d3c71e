//go:build !linux

package main

import "time"

// worked returns the time since the start: that of the thread alone is not known.
func worked() time.Duration { return time.Since(start) }

var start = time.Now()
