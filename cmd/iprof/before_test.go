package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// TestWhatCannotBeHadCostsNoBuild: the status is 2, and the program, which does not build, is not looked at. Nothing is
// left in the folders.
func TestWhatCannotBeHadCostsNoBuild(t *testing.T) {
	dir := inModule(t, map[string]string{"main.go": "package main\n\nthis does not build\n"})
	taken := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	t.Setenv("IPROF_TOKEN", "")
	for line, want := range map[string]string{
		"-o none/a.iprof":                  "no folder",
		"-report none/a.json":              "no folder",
		"-report ..":                       "is a folder",
		"-cpuprofile none/a":               "no folder",
		"-listen " + taken.Addr().String(): "in use",
		"-listen 0.0.0.0:0":                "IPROF_TOKEN",
		"-listen 7179":                     ":7179",
		"-frmae 16ms":                      "-frame?",
	} {
		status, said := launched(t, dir, "run", append(strings.Fields(line), ".")...)
		if status != 2 || !strings.Contains(said, want) || strings.Contains(said, "does not build") {
			t.Errorf("%s: status %d, want 2 and %q:\n%s", line, status, want, said)
		}
	}
	for _, line := range []string{"-o a.iprof", "-report a.json", "-listen :0", "-listen 127.0.0.1:0"} {
		a, err := parse("run", append(strings.Fields(line), "."))
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if a.record != "" {
			if _, err := os.Stat(filepath.Base(a.record)); err == nil {
				t.Errorf("%s: the file is there before the run", line)
			}
		}
	}
	if left, _ := filepath.Glob(".iprof-*"); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
