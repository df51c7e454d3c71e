//go:build !(windows || linux || darwin || freebsd || openbsd || netbsd || dragonfly || solaris)

package platform

import "time"

// CPUTime returns the processor time of the process since its start. It is always 0 here, because the system does not
// report it.
func CPUTime() time.Duration { return 0 }
