//go:build !iprof_off

package process_test

import (
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// use uses processor time.
func use(d time.Duration) {
	for until := platform.CPUTime() + d; platform.CPUTime() < until; {
	}
}

// A dump has the processor time since start or Reset, without pauses.
func TestProcessorTime(t *testing.T) {
	if platform.CPUTime() == 0 {
		t.Skip("the system does not tell the processor time")
	}
	const some = 100 * time.Millisecond
	s := process.Default()
	now := func() time.Duration { return s.Dump(process.DumpOptions{NoHistory: true, NoTrees: true}).CPU }
	z := &gather.Zone{Name: "used"}
	z.Begin().End()
	s.Update()
	all, start := platform.CPUTime(), now()
	use(some)
	if got, most := now()-start, platform.CPUTime()-all; got < some || got > most {
		t.Errorf("got %v; want %v to %v", got, some, most)
	}
	before := now()
	s.Pause()
	use(some)
	paused := now()
	s.Resume()
	if got := max(now(), paused) - before; got >= some {
		t.Errorf("after a pause: got %v more; want less than the %v in it", got, some)
	}
	use(some)
	s.Reset()
	if got := now(); got >= some {
		t.Errorf("after Reset: got %v; want less than the %v before it", got, some)
	}
	if got := process.NewSession().Dump(process.DumpOptions{}).CPU; got != 0 {
		t.Errorf("session of another program: got %v; want 0", got)
	}
}
