//go:build gc && !purego

package platform

// counterJitter: as on amd64, readings on two cores may be a little out of order; ticks are 1 to 42 ns long here.
const counterJitter = 16

// counterQualifies: the virtual counter is part of the architecture, runs at one rate and is the same on all cores.
func counterQualifies() bool { return counterFrequency() > 0 }

// fixedRate returns the counter's rate in ticks a second, which the firmware tells.
func fixedRate() float64 { return float64(counterFrequency()) }

// counterFrequency reads CNTFRQ_EL0.
//
//go:noescape
func counterFrequency() uint64
