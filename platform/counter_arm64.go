//go:build gc && !purego

package platform

// counterJitter is in ticks of 1 to 42 ns. As on amd64, readings on two cores may be slightly out of order.
const counterJitter = 16

const hasCounter = true

// counterQualifies reports whether the virtual counter has a rate. By the architecture, the counter runs at one rate
// and is the same on all cores.
func counterQualifies() (bool, string) {
	if counterFrequency() == 0 {
		return false, "the firmware does not say the counter's rate"
	}
	return true, "it is part of the architecture"
}

// fixedRate returns the counter's rate in ticks a second, which the firmware sets.
func fixedRate() float64 { return float64(counterFrequency()) }

// counterFrequency reads CNTFRQ_EL0.
//
//go:noescape
func counterFrequency() uint64
