package growth

import (
	"syscall"
	"time"

	"example.com/iprof/platform"
)

// worked returns the processor time of the calling thread: other programs do not disturb it. getrusage would not do: it
// returns the time as of the kernel's last look at the thread, which may be some milliseconds ago.
func worked() time.Duration {
	return platform.ThreadTime(syscall.Gettid())
}
