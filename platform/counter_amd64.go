//go:build gc && !purego

package platform

import (
	"os"
	"runtime"
	"strings"
)

// counterJitter is in ticks. A processor may read the counter before an older load has finished. Between two cores up
// to 85 ticks were measured.
const counterJitter = 256

// Repeats reports whether two readings on one goroutine may be equal. Every RDTSC returns another value (Intel SDM
// vol. 3B, "Time-Stamp Counter").
const Repeats = false

// fixedRate returns the counter's rate if the machine reports one, else 0.
func fixedRate() float64 { return 0 }

// cpuid executes CPUID with ECX 0.
//
//go:noescape
func cpuid(leaf uint32) (eax, edx uint32)

// counterQualifies reports whether the time stamp counter runs at one rate at all times (CPUID 80000007h, EDX bit 8;
// Intel SDM vol. 3B, "Invariant TSC"). On Linux the kernel must also keep time by it: the kernel has compared the
// counters of all processors.
func counterQualifies() bool {
	if highest, _ := cpuid(0x80000000); highest < 0x80000007 {
		return false
	}
	if _, edx := cpuid(0x80000007); edx&(1<<8) == 0 {
		return false
	}
	return runtime.GOOS != "linux" || kernelTrusts("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

func kernelTrusts(file string) bool {
	name, err := os.ReadFile(file)
	return err == nil && strings.TrimSpace(string(name)) == "tsc"
}
