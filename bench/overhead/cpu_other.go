//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime returns the time since the start: this system has no getrusage.
func cpuTime() time.Duration { return time.Since(started) }
