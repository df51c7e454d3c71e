//go:build gc && !purego

package platform

// counterJitter is in ticks. A processor may read the counter before an older load has finished. Up to 85 ticks between
// two cores were measured.
const counterJitter = 256

const hasCounter = true

// fixedRate returns the counter's rate if the machine reports one, else 0.
func fixedRate() float64 { return 0 }

// cpuid executes CPUID with ECX 0.
//
//go:noescape
func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)

// counterQualifies reports whether the time stamp counter can be trusted on this machine, with the reason.
func counterQualifies() (bool, string) { return thisMachine().decide() }
