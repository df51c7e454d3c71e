package process

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// cpuTime measures the processor time of the program's process since start or Reset, without pauses.
type cpuTime struct {
	begun  bool          // from is known
	from   time.Duration // platform.CPUTime at start or Reset, and the time in pauses
	paused time.Duration // platform.CPUTime when the pause began
}

// begin finds out when measuring started.
func (c *cpuTime) begin() {
	if !c.begun {
		c.from = gather.StartCPU()
		c.begun = c.from > 0
	}
}

// reset begins anew.
func (c *cpuTime) reset() {
	now := platform.CPUTime()
	*c = cpuTime{true, now, now}
}

// pause begins or ends a pause.
func (c *cpuTime) pause(begins bool) {
	c.begin()
	now := platform.CPUTime()
	if begins {
		c.paused = now
	} else {
		c.from += now - c.paused
	}
}

// used returns the time. It is 0 where it is not known.
func (c *cpuTime) used(paused bool) time.Duration {
	c.begin()
	now := c.paused
	if !paused {
		now = platform.CPUTime()
	}
	return max(now-c.from, 0)
}
