package process_test

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// alone reports whether the test runs in a process of its own. If not, it starts one for it and adopts its outcome. So
// the memory of the process has nothing of other tests.
func alone(t *testing.T) bool {
	t.Helper()
	const variable = "IPROF_ALONE"
	if os.Getenv(variable) == t.Name() {
		return true
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable+"="+t.Name())
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the system cannot start this program: an emulator runs it")
	}
	if err != nil {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	}
	return false
}
