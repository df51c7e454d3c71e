package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
)

// planted is what a stranger's folder of downloads may have: sources where those of a released program seem to be, and
// programs of the names that a reader might look for. Each leaves a mark when it runs.
func planted(t *testing.T) (dir, path string, ran func() bool) {
	t.Helper()
	dir, path = t.TempDir(), t.TempDir()
	mark := filepath.Join(t.TempDir(), "ran")
	for _, module := range []string{"example.com/iprof/exectrace", "exectrace", "../exectrace"} {
		module = filepath.Join(dir, module)
		must.Do(t, os.MkdirAll(filepath.Join(module, "cmd", "iprof-import-trace"), 0o755))
		write(t, filepath.Join(module, "go.mod"), "module planted\n")
		write(t, filepath.Join(module, "cmd", "iprof-import-trace", "main.go"), "package main\n\nimport \"os\"\n\n"+
			"func main() { os.WriteFile(`"+mark+"`, nil, 0o600) }\n")
	}
	for _, name := range []string{"iprof-import-trace", "go", "glviewer", "libexec/iprof/iprof-import-trace"} {
		script(t, filepath.Join(dir, name), mark)
	}
	script(t, filepath.Join(path, "iprof-import-trace"), mark)
	return dir, path, func() bool {
		_, err := os.Stat(mark)
		return err == nil
	}
}

func script(t *testing.T, path, mark string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n: >'"+mark+"'\n"), 0o755))
}

// TestReadingStartsNothing: a program as it is released, in a folder that a stranger filled, starts nothing that lies
// there or in PATH, whatever command opens an execution trace there.
func TestReadingStartsNothing(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds the program as it is released, and plants shell scripts")
	}
	program := filepath.Join(t.TempDir(), "iprof")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir, path, ran := planted(t)
	write(t, filepath.Join(dir, "trace.out"), "go 1.26 trace\x00\x00\x00")
	write(t, filepath.Join(dir, "other.out"), "go 1.22 trace\x00\x00\x00")
	write(t, filepath.Join(dir, "go.mod"), "module user\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(dir, "example.com", "iprof", "go.mod"), "module example.com/iprof\n\ngo 1.25\n")
	lines := map[string][]string{
		"graph": {"graph", "zone", "trace.out"}, "diff": {"diff", "trace.out", "other.out"},
		"import": {"import", "trace.out", "new"}, "run": nil, "build": nil, "test": nil,
		"live": {"live", "trace.out"}, "record": {"record", "trace.out"},
		"version": nil, "completion": nil, "clean": nil, "help": nil, // they read no file
	}
	for _, c := range commands {
		words, known := lines[c.name]
		if !known {
			words = []string{c.name, "trace.out"}
		} else if words == nil {
			continue
		}
		for _, first := range []string{path + ":", "", ".::"} {
			cmd := exec.CommandContext(t.Context(), program, words...)
			cmd.Dir, cmd.WaitDelay = dir, time.Second
			cmd.Env = append(os.Environ(), "PATH="+first+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err == nil || ran() {
				t.Errorf("iprof %s: got a planted program started: %t, error %v; want only an error\n%s",
					strings.Join(words, " "), ran(), err, out)
			}
			reads := !slices.Contains([]string{"view", "live", "record"}, c.name)
			if reads && !strings.Contains(string(out), "go build -C exectrace -o "+filepath.Dir(program)) {
				t.Errorf("iprof %s: got %s; want the command that makes the reader", strings.Join(words, " "), out)
			}
		}
	}
	run := exec.CommandContext(t.Context(), program, "run", ".")
	run.Dir, run.Env = dir, append(os.Environ(), "GOPROXY=off", "XDG_CACHE_HOME="+t.TempDir())
	if out, err := run.CombinedOutput(); err == nil || !strings.Contains(string(out), "with -module DIR") {
		t.Errorf("iprof run: got %v, %s; want the folder's sources not to be taken for the profiler's", err, out)
	}
}
