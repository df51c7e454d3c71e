package platform

import (
	"sync/atomic"
	"time"
)

// DelayMeter reads the run delay of the process's OS threads: how long a thread was ready to run and had no processor,
// because the system had given it to other threads. The zero value is ready to use. One goroutine at a time may use it.
type DelayMeter struct{ threads delayFiles }

// replacedDelay is the function of SetRunDelay.
var replacedDelay atomic.Pointer[func(thread int) (id int, delay time.Duration, ok bool)]

// SetRunDelay replaces the system's readings of run delays, for tests and for systems of the host's own. read gets the
// id of a thread, or 0 for the calling goroutine's. It returns that id, which is above 0, and the run delay since the
// thread's start. ok is false if it is not known. SetRunDelay(nil) restores the system's readings. Any goroutine may
// call SetRunDelay, and read must be safe for any goroutine.
func SetRunDelay(read func(thread int) (id int, delay time.Duration, ok bool)) {
	if read == nil {
		replacedDelay.Store(nil)
		return
	}
	replacedDelay.Store(&read)
}

// Read returns the id of the calling goroutine's thread and its run delay since its start. ok is false if the system
// does not report it. With a clock of SetClock it is false without readings of SetRunDelay, because the two clocks
// would not agree. A call takes about a microsecond, and some microseconds for a thread that none of the last calls has
// met. See BenchmarkRunDelay.
func (m *DelayMeter) Read() (thread int, delay time.Duration, ok bool) { return m.read(0) }

// Of returns the run delay of a thread of this process since its start. ok is false if there is no such thread, or the
// system does not report it.
func (m *DelayMeter) Of(thread int) (delay time.Duration, ok bool) {
	if thread <= 0 {
		return 0, false
	}
	_, delay, ok = m.read(thread)
	return delay, ok
}

func (m *DelayMeter) read(thread int) (id int, delay time.Duration, ok bool) {
	if other := replacedDelay.Load(); other != nil {
		return (*other)(thread)
	}
	if Custom() {
		return 0, 0, false
	}
	return m.threads.read(thread)
}
