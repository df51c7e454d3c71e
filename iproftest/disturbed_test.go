//go:build !iprof_off

package iproftest_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/iproftest"
	"example.com/iprof/platform"
)

// collected stands for a test, and keeps what it would print.
type collected struct {
	testing.TB
	said []string
}

func (*collected) Helper()             {}
func (c *collected) Error(args ...any) { c.said = append(c.said, fmt.Sprint(args...)) }
func (c *collected) Logf(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

// runBusy runs 200 frames of work ms. In each frame for which busy is true the machine takes 30 ms more.
func runBusy(t *testing.T, work int64, busy func(frame int) bool, checks ...iproftest.Check) (said string) {
	t.Helper()
	now, delay := int64(0), time.Duration(0)
	platform.SetClock(func() int64 { return now }, 1000)
	platform.SetRunDelay(func(int) (int, time.Duration, bool) { return 1, delay, true })
	defer platform.SetClock(nil, 0)
	defer platform.SetRunDelay(nil)
	z, frame := gather.Zone{Name: "work"}, -1 // the first call is not measured
	c := &collected{TB: t}
	iproftest.Run(c, 200, func() {
		defer z.Begin().End()
		if now += work; frame >= 0 && busy(frame) {
			now, delay = now+30, delay+30*time.Millisecond
		}
		frame++
	}, checks...)
	return strings.Join(c.said, "\n")
}

const disturbed = " frames were disturbed: the machine gave the processor to other programs"

// Frames in which other programs had the processor change no result, whether they are few or nearly all. Code that is
// too slow fails also there.
func TestABudgetFailsForTheCode(t *testing.T) {
	for name, c := range map[string]struct {
		busy  func(frame int) bool
		count string // of disturbed frames
		left  int    // frames that count
	}{
		"few":  {func(f int) bool { return f%5 == 4 && f < 190 }, "38", 162},
		"most": {func(f int) bool { return f%10 != 0 }, "180", 20},
		"all":  {func(f int) bool { return true }, "200", 200},
	} {
		t.Run(name, func(t *testing.T) {
			budget := iproftest.Budget("work", iproftest.Max, 5*time.Millisecond)
			whole := iproftest.Budget("", iproftest.P90, 5*time.Millisecond)
			want := "iproftest: " + c.count + " of 200" + disturbed
			if got := runBusy(t, 4, c.busy, budget, whole); got != want {
				t.Errorf("4 ms: got  %q\nwant %q", got, want)
			}
			want = fmt.Sprintf("maximum of %d frames is 6ms; its budget is 5ms (%s of 200%s)", c.left, c.count,
				disturbed)
			if got := runBusy(t, 6, c.busy, budget); !strings.Contains(got, want) {
				t.Errorf("6 ms: got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestABaselineOfABusyMachine(t *testing.T) {
	never, often := func(int) bool { return false }, func(f int) bool { return f%3 == 0 }
	for i, then := range []func(int) bool{never, often} {
		for k, now := range []func(int) bool{never, often} {
			path := filepath.Join(t.TempDir(), "base.iprof")
			t.Setenv("IPROFTEST_UPDATE", "1")
			runBusy(t, 10, then, iproftest.Baseline(path))
			t.Setenv("IPROFTEST_UPDATE", "")
			if got := runBusy(t, 10, now, iproftest.Baseline(path)); strings.Contains(got, "slower") {
				t.Errorf("%d, %d: the same code: got %q", i, k, got)
			}
			if got := runBusy(t, 14, now, iproftest.Baseline(path)); !strings.Contains(got, `"work" takes 14ms`) {
				t.Errorf("%d, %d: slower code: got %q", i, k, got)
			}
		}
	}
}

// The metric is that of the code.
func TestABenchmarkLeavesOutDisturbedFrames(t *testing.T) {
	now, delay, frame := int64(0), time.Duration(0), 0
	platform.SetClock(func() int64 { return now }, 1000)
	platform.SetRunDelay(func(int) (int, time.Duration, bool) { return 1, delay, true })
	defer platform.SetClock(nil, 0)
	defer platform.SetRunDelay(nil)
	z := gather.Zone{Name: "work"}
	got := testing.Benchmark(func(b *testing.B) {
		iproftest.Benchmark(b, func() {
			defer z.Begin().End()
			if now += 4; frame%3 == 1 {
				now, delay = now+30, delay+30*time.Millisecond
			}
			frame++
		}, "work")
	})
	if ns := got.Extra["work-ns/op"]; ns != 4e6 {
		t.Errorf("got %v ns a frame; want 4 ms", ns)
	}
}
