//go:build !linux

package growth

import "time"

// worked returns the time since the start: the thread's processor time is unknown.
func worked() time.Duration { return time.Since(start) }

var start = time.Now()
