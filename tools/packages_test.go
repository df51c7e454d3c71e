package tools

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// bare makes a PATH that holds the few programs the script itself needs, and nothing it looks for.
func bare(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the table is for Linux")
	}
	dir := t.TempDir()
	for _, name := range []string{"sh", "cut", "sort", "tr", "cat", "mktemp", "tail", "rm", "id", "uname"} {
		path := must.Get(exec.LookPath(name))(t)
		must.Do(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

// stub puts a program on the PATH that writes its arguments to a log and runs body.
func stub(t *testing.T, dir, name, body string) {
	t.Helper()
	script := fmt.Sprintf("#!/bin/sh\necho %s \"$@\" >>'%s/log'\n%s\n", name, dir, body)
	// Writing through one of bare's links would overwrite the machine's own program.
	os.Remove(filepath.Join(dir, name))
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
}

// packages runs the script under that PATH. It returns its output and the arguments of the stubs.
func packages(t *testing.T, dir string, args ...string) (output, log string, err error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"packages"}, args...)...)
	cmd.Env = []string{"PATH=" + dir}
	out, err := cmd.CombinedOutput()
	told, _ := os.ReadFile(filepath.Join(dir, "log"))
	return string(out), string(told), err
}

func TestEachManagerGetsItsOwnNames(t *testing.T) {
	for _, test := range []struct{ manager, install, want string }{
		{"apt-get", "apt-get install", "libxcursor-dev"},
		{"dnf", "dnf install", "libXcursor-devel"},
		{"pacman", "pacman -Sy", "libxcursor"},
		{"apk", "apk add", "libxcursor-dev"},
		{"brew", "brew install", "pkg-config"},
	} {
		t.Run(test.manager, func(t *testing.T) {
			dir := bare(t)
			stub(t, dir, test.manager, "")
			stub(t, dir, "id", "echo 0")
			out, log, err := packages(t, dir, "run")
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(log, test.install) || !strings.Contains(log, " "+test.want) {
				t.Errorf("%s got the commands\n%swant %q and %q in it", test.manager, log, test.install, test.want)
			}
			if !strings.Contains(out, "installing system packages:") {
				t.Errorf("it did not say what it installs: %q", out)
			}
		})
	}
}

func TestNothingMissingDoesNothing(t *testing.T) {
	dir := bare(t)
	for _, name := range []string{"gcc", "pkg-config", "Xvfb", "xauth"} {
		stub(t, dir, name, "")
	}
	stub(t, dir, "apt-get", "")
	cmd := exec.Command("sh", "packages", "run")
	cmd.Env = []string{"PATH=" + dir, "DISPLAY=:0"}
	out, err := cmd.CombinedOutput()
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil || len(out) != 0 || strings.Contains(string(log), "apt-get") {
		t.Errorf("got %v, output %q, log %q; want silence and no apt-get", err, out, log)
	}
}

func TestSudoOnlyWhereNotRoot(t *testing.T) {
	dir := bare(t)
	stub(t, dir, "dnf", "")
	stub(t, dir, "id", "echo 1000")
	stub(t, dir, "sudo", `exec "$@"`)
	if out, log, err := packages(t, dir, "run"); err != nil || !strings.Contains(log, "sudo dnf install") {
		t.Errorf("got %v, %q, log %q; want sudo dnf install", err, out, log)
	}
	os.Remove(filepath.Join(dir, "sudo"))
	os.Remove(filepath.Join(dir, "log"))
	out, log, err := packages(t, dir, "run")
	if err == nil || !strings.Contains(out, "as root: dnf install") || strings.Contains(log, "dnf install") {
		t.Errorf("without sudo: got %v, %q, log %q; want the command to run as root and an error", err, out, log)
	}
}

func TestFailuresNameTheNextStep(t *testing.T) {
	dir := bare(t)
	out, _, err := packages(t, dir, "run")
	if err == nil || !strings.Contains(out, "install these by hand") {
		t.Errorf("with no manager: got %v, %q; want the list and the advice to install by hand", err, out)
	}
	stub(t, dir, "apk", "echo broken mirror; exit 1")
	stub(t, dir, "id", "echo 0")
	out, _, err = packages(t, dir, "run")
	if err == nil || !strings.Contains(out, "broken mirror") || !strings.Contains(out, "by hand, as root: apk add") {
		t.Errorf("with a failing manager: got %v, %q; want its words and the command", err, out)
	}
	if _, _, err := packages(t, dir, "nonsense"); err == nil {
		t.Error("an unknown purpose was accepted")
	}
}
