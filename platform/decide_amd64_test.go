//go:build gc && !purego

package platform

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
)

// leaves is a CPUID of a test's own: eax, ebx, ecx and edx by leaf.
type leaves map[uint32][4]uint32

func (l leaves) cpuid(leaf uint32) (eax, ebx, ecx, edx uint32) {
	r := l[leaf]
	return r[0], r[1], r[2], r[3]
}

var (
	invariant   = leaves{0x80000000: {0x80000008}, 0x80000007: {0, 0, 0, 1 << 8}}
	kvm         = [4]uint32{0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d}
	bhyve       = leaves{0x40000000: {0x40000000, 0x76796862, 0x68622065, 0x20657679}} // "bhyve bhyve "
	stable      = leaves{0x40000000: kvm, 0x40000001: {1 << 24}}
	unstable    = leaves{0x40000000: kvm, 0x40000001: {1}}
	behindOther = leaves{0x40000000: {0x40000005, 0x7263694d}, 0x40000100: {0x40000101, kvm[1], kvm[2], kvm[3]},
		0x40000101: {1 << 24}}
)

// TestWhichCounterIsTrusted has the kernel's clocks of all hypervisors, and machines that hide theirs.
func TestWhichCounterIsTrusted(t *testing.T) {
	for _, c := range []struct {
		name, system, kernel string
		cpuid                leaves
		reading              time.Duration
		measured, want       bool
		why                  string
	}{
		{"a machine", "linux", "tsc\n", invariant, 0, false, true, "the kernel keeps time by tsc"},
		{"a guest with little information", "linux", "tsc", leaves{}, 0, false, true, "by tsc"},
		{"KVM", "linux", "kvm-clock\n", stable, 0, false, true, "by kvm-clock"},
		{"KVM that imitates Hyper-V", "linux", "kvm-clock", behindOther, 0, false, true, "by kvm-clock"},
		{"KVM with a page for each processor", "linux", "kvm-clock", unstable, 0, true, false, "not the same"},
		{"hidden KVM", "linux", "kvm-clock", bhyve, 59 * time.Nanosecond, false, true, "by kvm-clock"},
		{"hidden KVM, by calls", "linux", "kvm-clock", bhyve, 60 * time.Nanosecond, true, false, "system calls"},
		{"Hyper-V", "linux", "hyperv_clocksource_tsc_page\n", leaves{}, 0, false, true, "by hyperv_clocksource_tsc"},
		{"Hyper-V by calls", "linux", "hyperv_clocksource_msr", invariant, 0, true, false, "by hyperv_clocksource_msr"},
		{"Xen", "linux", "xen\n", leaves{}, 59 * time.Nanosecond, false, true, "by xen"},
		{"Xen by calls", "linux", "xen", invariant, 60 * time.Nanosecond, true, false, "system calls"},
		{"a device", "linux", "hpet\n", invariant, 0, true, false, "by hpet"},
		{"an unknown clock", "linux", "new\n", leaves{}, 0, true, true, "by new, and measured"},
		{"an unknown clock that differs", "linux", "new\n", invariant, 0, false, false, "by new, and measured"},
		{"a hidden clock", "linux", "", leaves{}, 0, true, true, "hidden, and measured"},
		{"a hidden clock that differs", "linux", "", invariant, 0, false, false, "hidden, and measured"},
		{"a name to mislead", "linux", "tsc\x1b[2J\n", leaves{}, 0, false, false, "by tsc?[2J, and"},
		{"another system", "windows", "", invariant, 0, false, true, "says that it is constant"},
		{"another system, not constant", "windows", "", leaves{}, 0, true, false, "does not say"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "current_clocksource")
			if c.kernel != "" {
				must.Do(t, os.WriteFile(file, []byte(c.kernel), 0o600))
			}
			m := machine{c.system, func() (string, error) { return kernelClock(file) }, c.cpuid.cpuid,
				func() time.Duration { return c.reading }, func() (bool, string) { return c.measured, "measured" }}
			if got, why := m.decide(); got != c.want || !strings.Contains(why, c.why) {
				t.Errorf("got %v, %q; want %v, %q", got, why, c.want, c.why)
			}
		})
	}
}

// A virtual machine takes long for each, and a program asks at its start.
func TestFewLeavesAreAsked(t *testing.T) {
	for name, l := range map[string]leaves{"another hypervisor": bhyve, "none": {}, "KVM behind it": behindOther} {
		asked := 0
		m := machine{"linux", func() (string, error) { return "kvm-clock", nil },
			func(leaf uint32) (eax, ebx, ecx, edx uint32) { asked++; return l.cpuid(leaf) },
			func() time.Duration { return 0 }, nil}
		if _, _ = m.decide(); asked == 0 || asked > 3 {
			t.Errorf("%s: %d leaves are asked; want at most 3", name, asked)
		}
	}
}

// virtual is a machine whose processors' counters and clock a test makes.
type virtual struct {
	now    int64 // nanoseconds
	on     int
	skew   []Ticks
	rate   func(now int64) float64 // ticks at that time
	moving int64                   // nanoseconds to move a thread
	fails  bool
}

func (v *virtual) pin(processor int) error {
	if v.fails {
		return errors.New("not permitted")
	}
	v.now += v.moving
	v.on = processor
	return nil
}

func (v *virtual) counter() Ticks {
	v.now += 20
	return 1e6 + Ticks(v.rate(v.now)) + v.skew[v.on]
}

func (v *virtual) wall() int64 { v.now += 30; return v.now }

// TestTrialOfTheCounter tries counters that are right, and each kind that is not.
func TestTrialOfTheCounter(t *testing.T) {
	steady := func(now int64) float64 { return 2.5 * float64(now) }
	still := func(int64) float64 { return 0 }
	drifts := func(now int64) float64 { return float64(now) + float64(now)*float64(now)/4e5 }
	for _, c := range []struct {
		name string
		v    virtual
		ok   bool
		why  string
	}{
		{"steady", virtual{skew: make([]Ticks, 4), rate: steady, moving: 20_000}, true, "the same"},
		{"a little apart", virtual{skew: []Ticks{0, -200}, rate: steady, moving: 10}, true, "the same"},
		{"one behind", virtual{skew: []Ticks{0, 0, -1e6}, rate: steady, moving: 20_000}, false, "differ"},
		{"one ahead", virtual{skew: []Ticks{0, 1e6, 0}, rate: steady, moving: 20_000}, false, "differ"},
		{"changing its rate", virtual{skew: make([]Ticks, 2), rate: drifts, moving: 20_000}, false, "one rate"},
		{"standing still", virtual{skew: make([]Ticks, 2), rate: still, moving: 9}, false, "one rate"},
		{"of many processors", virtual{skew: make([]Ticks, 64), rate: steady, moving: 20_000}, false, "too long"},
		{"of a thread that stays", virtual{skew: make([]Ticks, 2), rate: steady, fails: true}, false, "cannot"},
		{"of no processors", virtual{rate: steady}, false, "not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var processors []int
			for i := range c.v.skew {
				processors = append(processors, i)
			}
			v := &c.v
			got, why := (&trial{processors, v.pin, v.counter, v.wall}).run()
			if got != c.ok || !strings.Contains(why, c.why) {
				t.Errorf("got %v, %q; want %v, %q", got, why, c.ok, c.why)
			}
			if took := time.Duration(v.now); took > mostTrial+100*time.Microsecond {
				t.Errorf("took %v; want at most %v", took, mostTrial)
			}
		})
	}
}
