//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	outfiletest.Alone(t, filepath.Dir(pipe), "pipe")
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
