//go:build !linux

package platform

import "time"

// LockedThread returns the OS thread to which the calling goroutine is locked. It is always 0 here: see [ThreadTime].
func LockedThread() (thread int) { return 0 }

// ThreadTime returns the processor time of an OS thread. It is always 0 here, because a thread can read only its own
// time on this system.
func ThreadTime(thread int) time.Duration { return 0 }
