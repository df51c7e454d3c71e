//go:build !iprof_off

package iproftrace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/exectrace/iproftrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// noted is a test that keeps its failures.
type noted struct {
	testing.TB
	failures []string
}

func (n *noted) Helper() {}

func (n *noted) Errorf(format string, args ...any) {
	n.failures = append(n.failures, fmt.Sprintf(format, args...))
}

type body struct{ place [3]float64 }

var (
	physics, collide, other = gather.Zone{Name: "physics"}, gather.Zone{Name: "collide"}, gather.Zone{Name: "other"}
	bodies                  []*body
)

// work computes for a while, so that no allocation is near a border.
func work() {
	for begin := time.Now(); time.Since(begin) < 20*time.Microsecond; {
	}
}

// step allocates some bodies inside collide, which is inside physics, and one in other.
func step(n int) {
	func() {
		defer physics.Begin().End()
		defer collide.Begin().End()
		work()
		for range n {
			bodies = append(bodies[:0], new(body))
		}
		work()
	}()
	defer other.Begin().End()
	work()
	bodies = append(bodies[:0], new(body))
	work()
}

func TestNoAllocs(t *testing.T) {
	for n, want := range map[int]string{0: "", 3: "3 of iproftrace_test.body, 72 bytes, in \"collide\""} {
		got := noted{TB: t}
		iproftrace.NoAllocs(&got, "physics", func() { step(n) })
		if text := strings.Join(got.failures, "\n"); (want == "") != (text == "") || !strings.Contains(text, want) {
			t.Errorf("%d bodies: got %q; want %q", n, text, want)
		}
	}
	got := noted{TB: t}
	iproftrace.NoAllocs(&got, "other", func() { step(0) })
	if len(got.failures) != 1 || !strings.Contains(got.failures[0], "1 of iproftrace_test.body") {
		t.Errorf("other: got %q; want one body", got.failures)
	}
}

func TestNoAllocsBesideATrace(t *testing.T) {
	w := must.Get(exectrace.Watch(process.Default()))(t)
	defer w.Stop()
	got := noted{TB: t}
	iproftrace.NoAllocs(&got, "physics", func() { step(3) })
	if len(got.failures) != 1 || !strings.Contains(got.failures[0], "can be traced") {
		t.Errorf("beside a trace: got %q; want that nothing is known", got.failures)
	}
}

func ExampleNoAllocs() {
	var t noted // the test
	iproftrace.NoAllocs(&t, "physics", func() { step(3) })
	fmt.Println(strings.Join(t.failures, "\n"))
	// Output:
	// zone "physics" allocates:
	// 	3 of iproftrace_test.body, 72 bytes, in "collide"
}
