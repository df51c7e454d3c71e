package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestWithoutGo: on a machine that has a capture and no Go, commands that need it say so in one line.
func TestWithoutGo(t *testing.T) {
	path := recorded(t)
	for _, test := range []struct{ line, says string }{
		{"run .", "this needs the go command, which is not in PATH"},
		{"html -full -o page.html " + path, "no viewer is in this iprof, and Go, which builds it, is not in PATH"},
		{"top " + path, ""},
	} {
		cmd := exec.Command(os.Args[0], strings.Fields(test.line)...)
		cmd.Dir, cmd.Env = t.TempDir(), []string{asMain + "=1", "PATH=" + t.TempDir()}
		var out strings.Builder
		cmd.Stderr = &out
		err := cmd.Run()
		if text := out.String(); !strings.Contains(text, test.says) || strings.Count(text, "\n") > 1 ||
			(err == nil) != (test.says == "") {
			t.Errorf("iprof %s: got %v, %q; want %q in one line", test.line, err, text, test.says)
		}
	}
}
