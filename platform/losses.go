package platform

import "time"

// Losses is the time in which the program needed a processor and the machine did not give it one.
type Losses struct {
	Stolen    time.Duration // by the hypervisor, on the processor that lost most, in steps of 10 ms
	Throttled time.Duration // by the CPU quota of the control group, summed over all threads
}

// LossMeter reads the lost time. The zero value is ready to use. One goroutine at a time may call Read.
type LossMeter struct {
	root   string // of the file system, for tests
	known  bool
	files  []string        // with the throttled time of the control group and of the groups around it
	stolen []time.Duration // by processor, at the last Read
	quota  []time.Duration // by file
}

// mostGrown returns the largest increase from old to now.
//
//lint:ignore U1000 not all systems tell
func mostGrown(old, now []time.Duration) (largest time.Duration) {
	for i := range now {
		if i < len(old) {
			largest = max(largest, now[i]-old[i])
		}
	}
	return largest
}
