//go:build cgo && !linux

package gl

import "time"

// threadTime returns 0: the processor time of the calling thread is not known.
func threadTime() time.Duration { return 0 }
