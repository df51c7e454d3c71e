//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/outfiletest"
)

// On a display, as a user would call it.
func TestReportIntoAPipe(t *testing.T) {
	d := newDesktop(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	text := outfiletest.Pipe(t, pipe)
	out, err := command(d.display, "-workload", "replay", "-frames", "20", "-hidden", "-report", pipe).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := <-text; strings.Count(got, "\n") < 7 {
		t.Errorf("got %q; want the report", got)
	}
	outfiletest.OnlyFiles(t, filepath.Dir(pipe), "pipe")
}

func TestErrorsOfStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, flag := range []string{"-version", "-h"} {
		t.Run("flag="+flag, func(t *testing.T) {
			c := command("", flag)
			var said bytes.Buffer
			c.Stdout, c.Stderr = full, &said
			err := c.Run()
			if line := said.String(); c.ProcessState.ExitCode() != exitFailed || strings.Count(line, "\n") != 1 ||
				!strings.Contains(line, "no space left") {
				t.Errorf("got %v, %q; want exit 1 and one line with the cause", err, line)
			}
		})
	}
	t.Run("screenshot", func(t *testing.T) {
		d := newDesktop(t)
		c := command(d.display, "-workload", "replay", "-frames", "3", "-hidden", "-screenshot",
			filepath.Join(t.TempDir(), "shot.png"))
		c.Stdout = full
		if err := c.Run(); c.ProcessState.ExitCode() != exitFailed {
			t.Errorf("got %v; want exit 1", err)
		}
	})
}

// In a folder that a stranger filled, with its programs first in PATH, the window opens no execution trace by starting
// one of them, nor a compiler. See TestReadingStartsNothing of cmd/iprof.
func TestOpeningATraceStartsNothing(t *testing.T) {
	longtest.Skip(t)
	d := newDesktop(t)
	dir, mark := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	script := []byte("#!/bin/sh\n: >'" + mark + "'\n")
	names := []string{"go", "iprof", "iprof-import-trace", "libexec/iprof/iprof-import-trace", "exectrace/go.mod",
		"example.com/iprof/exectrace/go.mod"}
	for _, name := range names {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, script, 0o755))
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "trace.out"), []byte("go 1.26 trace\x00\x00\x00"), 0o644))
	for _, first := range []string{dir + ":", "", ".::"} {
		for _, words := range []string{"trace.out", "-screenshot a.png trace.out", "-report - ./trace.out"} {
			c := command(d.display, append([]string{"-frames", "2", "-hidden"}, strings.Fields(words)...)...)
			c.Dir, c.Env = dir, append(c.Env, "PATH="+first+os.Getenv("PATH"))
			out, err := c.CombinedOutput()
			if _, ran := os.Stat(mark); ran == nil || err == nil {
				t.Fatalf("glviewer %s, PATH=%s…: a planted program ran: %t, error %v; want an error alone\n%s", words,
					first, ran == nil, err, out)
			}
			if !strings.Contains(string(out), "go build -C exectrace -o ") {
				t.Errorf("glviewer %s: got %s; want the command that makes the reader", words, out)
			}
		}
	}
}
