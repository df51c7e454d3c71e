package main_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// built returns the command.
func built(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "iprofvet")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// findings are the lines with a place in the output of a command that runs in a folder.
func findings(dir string, command ...string) (lines []string, failed bool) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if place := regexp.MustCompile(`[\w-]+\.go:\d+:\d+: .*`).FindString(line); place != "" {
			lines = append(lines, place)
		}
	}
	return lines, err != nil
}

// The command finds the same alone and as the tool of go vet.
func TestAloneAndByGoVet(t *testing.T) {
	path := built(t)
	alone, failed := findings("misuse/testdata", path, "./deferred")
	if len(alone) < 8 || !failed {
		t.Errorf("alone: got failed %t with %d findings; want true with 8 or more", failed, len(alone))
	}
	byVet, failed := findings("misuse/testdata", "go", "vet", "-vettool="+path, "./deferred")
	if got, want := strings.Join(byVet, "\n"), strings.Join(alone, "\n"); got != want || !failed {
		t.Errorf("by go vet: got failed %t and\n%s\nwant true and\n%s", failed, got, want)
	}
}

// The profiler uses itself. Its tests are left out: some misuse it on purpose.
func TestTheProfilerHasNone(t *testing.T) {
	if lines, failed := findings("../..", built(t), "-test=false", "./..."); failed {
		t.Errorf("got findings or errors; want none:\n%s", strings.Join(lines, "\n"))
	}
}
