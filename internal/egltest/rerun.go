package egltest

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// needsProcess reports whether the kind needs environment variables that this process does not have.
func needsProcess(kind Kind) bool {
	for _, setting := range kind.override() {
		name, value, _ := strings.Cut(setting, "=")
		if os.Getenv(name) != value {
			return true
		}
	}
	return false
}

// rerun runs the current test alone in a new process with the kind's environment, and adopts its outcome.
func rerun(t *testing.T, kind Kind) {
	t.Helper()
	if runtime.GOOS == "windows" { // wine does not pass the environment of such a process on to Mesa
		t.Skipf("start the test with %v for this kind", kind.override())
	}
	cmd := exec.Command(os.Args[0], "-test.run="+exactly(t.Name()), "-test.v=true")
	cmd.Env = append(os.Environ(), kind.override()...)
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Fatalf("in a process with %v: %v\n%s", kind.override(), err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("in a process with %v:\n%s", kind.override(), out)
	case !strings.Contains(string(out), "--- PASS"):
		t.Fatalf("got no test run in a process with %v; want %s\n%s", kind.override(), t.Name(), out)
	}
}

// exactly returns the -test.run pattern for one test and its subtests.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
