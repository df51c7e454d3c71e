package iproftest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/iproftest"
	"example.com/iprof/platform"
)

// program has a clock that only work moves, and reading it if the machine has a speed.
type program struct {
	now   int64 // us
	speed int64 // us that a reading of the clock takes; work takes so many times as long
	frame int
	slow  func(frame int) time.Duration // more time of physics
}

var (
	physics = gather.Zone{Name: "physics"}
	search  = gather.Zone{Name: "path search"}
)

// start replaces the clock until the test ends.
func start(t testing.TB) *program {
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	p := &program{now: 1000, slow: func(int) time.Duration { return 0 }}
	platform.SetClock(func() int64 { p.now += p.speed; return p.now }, 1e6)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	return p
}

func (p *program) work(d time.Duration) { p.now += d.Microseconds() * max(p.speed, 1) }

// step takes 1 ms in physics, 0.1 ms in each of two searches below it, and 1 ms outside them.
func (p *program) step() {
	s := physics.Begin()
	p.work(time.Millisecond + time.Duration(p.frame%3)*time.Microsecond + p.slow(p.frame))
	for range 2 {
		i := search.Begin()
		p.work(100 * time.Microsecond)
		i.End()
	}
	s.End()
	p.work(time.Millisecond)
	p.frame++
}

// failed is a test that notes what fails.
type failed struct {
	testing.TB
	lines []string
}

func (f *failed) Helper()           {}
func (f *failed) Error(args ...any) { f.lines = append(f.lines, fmt.Sprint(args...)) }

// run runs frames with checks, and returns what failed.
func (p *program) run(t *testing.T, frames int, checks ...iproftest.Check) string {
	f := &failed{TB: t}
	iproftest.Run(f, frames, p.step, checks...)
	return strings.Join(f.lines, "\n")
}

func TestWhatHoldsPasses(t *testing.T) {
	p := start(t)
	got := p.run(t, 50, iproftest.Budget("physics", iproftest.Max, 1202*time.Microsecond),
		iproftest.Budget("physics", iproftest.Median, 1201*time.Microsecond),
		iproftest.Budget("path search", iproftest.P99, 200*time.Microsecond),
		iproftest.Budget("", iproftest.Max, 2202*time.Microsecond),
		iproftest.Calls("path search", 2), iproftest.Allocs(0))
	if got != "" {
		t.Errorf("got\n%s\nwant nothing", got)
	}
}

func TestWhatDoesNotHoldFails(t *testing.T) {
	p := start(t)
	p.slow = func(frame int) time.Duration {
		if frame == 31 {
			return 30 * time.Millisecond
		}
		return 0
	}
	for _, test := range []struct {
		check iproftest.Check
		want  []string
	}{
		{iproftest.Budget("physics", iproftest.Max, 30*time.Millisecond),
			[]string{`"physics": maximum of 50 frames is 31.201ms; its budget is 30ms: Frame `,
				"physics 31.2 (usually 1.2)"}},
		{iproftest.Budget("physics", iproftest.P90, 1201*time.Microsecond), []string{"p90 of 50 frames is 1.202ms"}},
		{iproftest.Budget("", iproftest.Max, 30*time.Millisecond),
			[]string{"the frame: maximum of 50 frames is 32.201ms"}},
		{iproftest.Budget("fysics", iproftest.Max, time.Hour), []string{`"fysics" was never entered`}},
		{iproftest.Calls("path search", 1), []string{`"path search": entered 2 times in frame `, "want at most 1"}},
		{iproftest.Calls("path", 1), []string{`"path" was never entered`}},
		{iproftest.Allocs(-1), []string{"a frame allocates 0 times; want at most -1"}},
		{func(r *iproftest.Result) error { return fmt.Errorf("%d counts", len(r.Counts("physics"))) },
			[]string{"50 counts"}},
	} {
		t.Run(test.want[0], func(t *testing.T) {
			p.frame = 0
			got := p.run(t, 50, test.check)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("got %q; want %q in it", got, want)
				}
			}
		})
	}
}

// A run like the stored one passes, a slower one fails with the zone that is slower.
func TestSlowerThanTheBaselineFails(t *testing.T) {
	p := start(t)
	path := filepath.Join(t.TempDir(), "new", "step.iprof")
	if got := p.run(t, 40, iproftest.Baseline(path)); !strings.Contains(got, "IPROFTEST_UPDATE=1 writes it") {
		t.Errorf("without a file: got %q; want how to make it", got)
	}
	t.Setenv("IPROFTEST_UPDATE", "1")
	if got := p.run(t, 40, iproftest.Baseline(path)); got != "" {
		t.Fatal(got)
	}
	t.Setenv("IPROFTEST_UPDATE", "")
	if got := p.run(t, 60, iproftest.Baseline(path)); got != "" {
		t.Errorf("the same: got %q; want nothing", got)
	}
	p.slow = func(int) time.Duration { return 40 * time.Microsecond }
	if got := p.run(t, 60, iproftest.Baseline(path)); got != "" {
		t.Errorf("by 3 %%: got %q; want nothing", got)
	}
	p.slow = func(int) time.Duration { return 300 * time.Microsecond }
	got := p.run(t, 60, iproftest.Baseline(path))
	if !strings.Contains(got, `"physics" takes 1.501`) || !strings.Contains(got, "it was 1.20") ||
		strings.Contains(got, "path search") {
		t.Errorf("by 0.3 ms: got %q; want physics and not path search", got)
	}
	must.Do(t, os.WriteFile(path, []byte("other"), 0o600))
	if got := p.run(t, 40, iproftest.Baseline(path)); !strings.Contains(got, "not a capture") {
		t.Errorf("another file: got %q", got)
	}
}

// One that takes five times as long for everything passes, also the other way round. One zone that takes half as long
// again fails.
func TestBaselineOfAnotherMachine(t *testing.T) {
	p := start(t)
	path := filepath.Join(t.TempDir(), "step.iprof")
	for _, speeds := range [][2]int64{{10, 50}, {50, 10}} {
		p.speed, p.slow = speeds[0], func(int) time.Duration { return 0 }
		t.Setenv("IPROFTEST_UPDATE", "1")
		if got := p.run(t, 40, iproftest.Baseline(path)); got != "" {
			t.Fatal(got)
		}
		t.Setenv("IPROFTEST_UPDATE", "")
		p.speed = speeds[1]
		if got := p.run(t, 40, iproftest.Baseline(path)); got != "" {
			t.Errorf("%v: got %q; want nothing", speeds, got)
		}
		p.slow = func(int) time.Duration { return 600 * time.Microsecond }
		if got := p.run(t, 40, iproftest.Baseline(path)); !strings.Contains(got, `"physics" takes`) ||
			!strings.Contains(got, "whose times are multiplied by") || strings.Contains(got, "path search") {
			t.Errorf("%v, slower: got %q; want physics", speeds, got)
		}
	}
}

func TestBenchmarkReportsZones(t *testing.T) {
	p := start(t)
	result := testing.Benchmark(func(b *testing.B) {
		iproftest.Benchmark(b, p.step, "path search", "none")
	})
	if got := result.Extra["path_search-ns/op"]; got < 199_999 || got > 200_001 || len(result.Extra) != 2 {
		t.Errorf("got %v; want 200000 ns for path_search and 0 for none", result.Extra)
	}
}

func TestSkipsWhereNothingIsMeasured(t *testing.T) {
	if gather.Enabled {
		t.Skip("only in a program built with iprof_off")
	}
	iproftest.Run(t, 1, func() { t.Error("it was called") })
	t.Error("Run went on")
}
