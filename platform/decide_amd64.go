//go:build gc && !purego

package platform

import (
	"runtime"
	"strings"
	"time"
)

// The kernel knows best whether the time stamp counter is constant and the same on all processors. If the kernel serves
// time from the counter without a system call, programs may read the counter as well. On Linux these clocks are
//
//   - tsc: the kernel has compared the counters of all processors (arch/x86/kernel/tsc.c).
//   - kvm-clock: the time page of KVM gives the rate and an offset. CPUID says that all processors share one page
//     (arch/x86/kernel/kvmclock.c, pvclock.c; KVM_FEATURE_CLOCKSOURCE_STABLE_BIT in
//     Documentation/virt/kvm/x86/cpuid.rst). A hypervisor that answers programs otherwise than the kernel hides that.
//     Then a reading's time shows it: only the shared page is read without a system call.
//   - hyperv_clocksource_tsc_page: the reference time page of Hyper-V, one for the whole guest (Hypervisor Top-Level
//     Functional Specification, chapter 12, "Partition Reference TSC"; drivers/clocksource/hyperv_timer.c).
//   - xen: read without a system call only where Xen's pages are stable (arch/x86/xen/time.c), which a reading's time
//     shows.

// machine has the inputs of the decision. Tests have machines of their own.
type machine struct {
	system  string
	kernel  func() (clock string, err error)
	cpuid   func(leaf uint32) (eax, ebx, ecx, edx uint32)
	reading func() time.Duration // time that a reading of the system's clock takes
	measure func() (ok bool, why string)
}

const kernelFile = "/sys/devices/system/clocksource/clocksource0/current_clocksource"

func thisMachine() *machine {
	return &machine{runtime.GOOS, func() (string, error) { return kernelClock(kernelFile) }, cpuid,
		func() time.Duration { return quickest(nanotime) }, measureCounter}
}

func kernelClock(file string) (string, error) {
	name, err := readFile(file)
	return strings.TrimSpace(string(name)), err
}

// decide reports whether the counter can be trusted, with the reason.
func (m *machine) decide() (trust bool, why string) {
	if m.system != "linux" {
		if m.invariant() {
			return true, "the processor says that it is constant"
		}
		return false, "the processor does not say that its counter is constant"
	}
	clock, err := m.kernel()
	if err != nil || clock == "" {
		return m.byMeasuring("the kernel's clock is hidden")
	}
	keeps := "the kernel keeps time by " + strings.Trim(shown(clock), `"`)
	switch clock {
	case "tsc", "hyperv_clocksource_tsc_page":
		return true, keeps
	case "kvm-clock":
		stable, known := m.stableKVM()
		if !known {
			return m.byReading(keeps)
		}
		if !stable {
			return false, keeps + ", which is not the same on all processors"
		}
		return true, keeps
	case "xen":
		return m.byReading(keeps)
	case "hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit", "hyperv_clocksource_msr":
		return false, keeps
	}
	return m.byMeasuring(keeps)
}

// byReading trusts a clock that the system reads without a system call, which means from the counter.
func (m *machine) byReading(keeps string) (trust bool, why string) {
	if m.reading() < mostDirect {
		return true, keeps
	}
	return false, keeps + ", with system calls"
}

// mostDirect is the longest time of a reading without a system call. A reading with a system call takes 100 ns and
// more.
const mostDirect = 60 * time.Nanosecond

func (m *machine) byMeasuring(because string) (bool, string) {
	ok, why := m.measure()
	return ok, because + ", and " + why
}

// invariant reports whether the counter runs at one rate at all times (CPUID 80000007h, EDX bit 8; Intel SDM vol. 3B,
// "Invariant TSC"). Many guests of KVM do not have this bit.
func (m *machine) invariant() bool {
	if highest, _, _, _ := m.cpuid(0x80000000); highest < 0x80000007 {
		return false
	}
	_, _, _, edx := m.cpuid(0x80000007)
	return edx&(1<<8) != 0
}

// stableKVM reports whether KVM's clock is the same on all processors, if that is known. KVM's leaves begin at a
// multiple of 100h, because leaves of other hypervisors, which KVM imitates, may come first. The search ends at the
// first place without a leaf count. A virtual machine takes microseconds for each leaf, so a search of all 256 places
// would slow the start of each program.
func (m *machine) stableKVM() (stable, known bool) {
	const first, last, step = 0x40000000, 0x40010000, 0x100
	for base := uint32(first); base < last; base += step {
		highest, b, c, d := m.cpuid(base)
		if b == 0x4b4d564b && c == 0x564b4d56 && d == 0x4d { // KVMKVMKVM
			features, _, _, _ := m.cpuid(base + 1)
			return (highest == 0 || highest > base) && features&(1<<24) != 0, true
		}
		if highest < base {
			break
		}
	}
	return false, false
}
