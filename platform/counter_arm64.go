//go:build gc && !purego

package platform

// counterJitter is in ticks of 1 to 42 ns. As on amd64, readings on two cores may be slightly out of order.
const counterJitter = 16

// Repeats reports whether two readings on one goroutine may be equal. A tick may be longer than a Begin.
const Repeats = true

// counterQualifies reports whether the virtual counter has a rate. It is part of the architecture, runs at one rate
// and is the same on all cores.
func counterQualifies() bool { return counterFrequency() > 0 }

// fixedRate returns the counter's rate in ticks a second, as set by the firmware.
func fixedRate() float64 { return float64(counterFrequency()) }

// counterFrequency reads CNTFRQ_EL0.
//
//go:noescape
func counterFrequency() uint64
