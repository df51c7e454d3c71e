//go:build unix && !iprof_off && !race

package process_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"example.com/iprof/process"
)

// A program of whose goroutines all wait for each other ends, as Go promises. The profiler's timers do not keep it. The
// race detector hides deadlocks.
func TestADeadlockIsFound(t *testing.T) {
	if os.Getenv("IPROF_DEADLOCK") != "" {
		for range 3 {
			process.Default().Update()
		}
		select {}
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=0")
	c.Env = append(os.Environ(), "IPROF_DEADLOCK=1")
	out, err := c.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the system cannot start this program: an emulator runs it")
	}
	if err == nil || !strings.Contains(string(out), "all goroutines are asleep") {
		t.Errorf("got %v and %q; want Go's message of a deadlock", err, out)
	}
}
