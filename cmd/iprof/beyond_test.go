//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// Without iprof-query the commands say in a line how to get it, and have a help all the same.
func TestCommandsBeyondWithoutTheirProgram(t *testing.T) {
	for _, name := range []string{"sql", "parquet", "mcp"} {
		status, out, complaint := ran(t, name, "game.iprof")
		if status != 1 || out != "" || strings.Count(complaint, "\n") != 1 ||
			!strings.Contains(complaint, "make install") {
			t.Errorf("%s: got status %d, %q, %q; want a line that says how to get it", name, status, out, complaint)
		}
		if status, out, _ := ran(t, "help", name); status != 0 || !strings.HasPrefix(out, "usage: iprof "+name) {
			t.Errorf("help %s: got status %d, %q", name, status, out)
		}
	}
}

// The program beside gets the whole command line, and its status is that of iprof.
func TestCommandsBeyondStartTheirProgram(t *testing.T) {
	own := must.Get(os.Executable())(t)
	path := filepath.Join(filepath.Dir(own), "iprof-query")
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\nfor word; do echo \"[$word]\"; done\nexit 7\n"), 0o755))
	t.Cleanup(func() { os.Remove(path) })
	status, out, complaint := ran(t, "sql", "-csv", "a b", "select 1")
	if want := "[sql]\n[-csv]\n[a b]\n[select 1]\n"; status != 7 || out != want || complaint != "" {
		t.Errorf("got status %d, %q, %q; want 7 and %q", status, out, complaint, want)
	}
}
