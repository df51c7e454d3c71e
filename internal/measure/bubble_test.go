//go:build !iprof_off

package measure_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

var bubbled = measure.Zone{Name: "bubbled"}

// In a bubble of testing/synctest, package time stands still while any goroutine runs, and jumps ahead while all sleep.
// Neither may disturb the profiler, even if it is first used in a bubble. So each test is a process of its own.
func TestFirstUseInABubble(t *testing.T) {
	const child = "IPROF_BUBBLE_CHILD"
	if os.Getenv(child) != "" {
		inBubble(t)
		return
	}
	for _, clock := range []string{"counter", "go"} {
		t.Run(clock, func(t *testing.T) {
			ownProcess(t, "TestFirstUseInABubble", child+"=1", "IPROF_CLOCK="+clock)
		})
	}
}

// ownProcess runs a test alone in a process, with variables set in its environment.
func ownProcess(t *testing.T, test string, variables ...string) {
	t.Helper()
	limit, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	child := exec.CommandContext(limit, os.Args[0], "-test.run=^"+test+"$")
	child.Env = append(os.Environ(), variables...)
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the system cannot start this program: an emulator runs it")
	}
	if err != nil {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	}
}

func inBubble(t *testing.T) {
	var f measure.Frame
	var ticks float64
	begin := time.Now()
	synctest.Test(t, func(*testing.T) {
		measure.Collect(&f)
		time.Sleep(time.Hour)
		measure.Collect(&f)
		s := bubbled.Begin()
		for from := platform.Now(); float64(platform.Now()-from) < 0.05*platform.TicksPerSecond(); {
		}
		s.End()
		time.Sleep(time.Hour)
		measure.Collect(&f)
		for i := range f.Lanes {
			for _, n := range f.Lanes[i].Nodes {
				if f.Zones[n.Zone].Name == "bubbled" {
					ticks += float64(n.Self)
				}
			}
		}
	})
	ms, most := ticks/f.TicksPerSecond*1000, float64(time.Since(begin).Milliseconds())
	if ms < 49 || ms > most+1 {
		t.Errorf("zone of 50 ms: got %v ms in %v ms", ms, most)
	}
	if f.Misuse.ClockJump != 0 || f.Misuse.ClockBack != 0 {
		t.Errorf("jumps and steps back of the clock: got %d and %d; want none", f.Misuse.ClockJump, f.Misuse.ClockBack)
	}
}
