//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/outfiletest"
)

// command returns a command of iprof as it is called: its status is an error.
func command(line string, more ...string) error {
	words := strings.Fields(line)
	if named(words[0])(append(words[1:], more...)) != 0 {
		return errors.New("the status is not 0")
	}
	return nil
}

// TestCommandsWriteToFilesOfAllKinds: links, pipes and devices stay, and a file that was there is replaced at once or
// not at all. A capture never replaces one.
func TestCommandsWriteToFilesOfAllKinds(t *testing.T) {
	path, trace, address := recorded(t), filepath.Join(t.TempDir(), "trace.json"), serving(t)
	must.Do(t, command("export -format chrome", path, trace))
	for line, w := range map[string]outfiletest.Writer{
		"top":                {Text: "decompress", Replaces: true},
		"html":               {Text: "<!doctype html>", Replaces: true},
		"json":               {Text: `"frames"`, Replaces: true},
		"html -json":         {Text: "<!doctype html>", Replaces: true},
		"export":             {Replaces: true},
		"export -format csv": {Text: "frame", Replaces: true},
	} {
		w.Write = func(name string) error { return command(line, "-o", name, path) }
		t.Run(line, w.Check)
	}
	t.Run("import", outfiletest.Writer{Text: "IPROF", Write: func(name string) error {
		return command("import", trace, name)
	}}.Check)
	t.Run("record", outfiletest.Writer{Text: "IPROF", Write: func(name string) error {
		return command("record -for 1s", "-o", name, address)
	}}.Check)
}

// TestErrorsOfStandardOutput: what cannot be printed is an error.
func TestErrorsOfStandardOutput(t *testing.T) {
	path, stdout := recorded(t), os.Stdout
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"top", "top -json", "tree", "tree -json", "frames", "frames -json", "verdicts",
		"verdicts -json", "html", "json", "graph decompress", "graph -json decompress", "diff " + path,
		"diff -json " + path, "export", "export -format csv"} {
		t.Run(strings.TrimSuffix(line, path), func(t *testing.T) {
			os.Stdout = full
			err := command(line, path)
			os.Stdout = stdout
			if err == nil {
				t.Error("got status 0 with a full disk; want an error")
			}
		})
	}
}

// TestNothingPrintedIsAnError: of a command that only prints, too. The cause is named once.
func TestNothingPrintedIsAnError(t *testing.T) {
	module := inModule(t, map[string]string{"main.go": emptyMain})
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"", "version", "-v", "help", "-h", "help top", "top -h", "completion bash",
		"run -n -module " + module + " .", "build -n -module " + module + " ."} {
		t.Run(strings.ReplaceAll(line, module, "M"), func(t *testing.T) {
			stdout := os.Stdout
			os.Stdout = full
			var code int
			said := complained(t, func() { code = unprinted(dispatch(strings.Fields(line))) })
			os.Stdout = stdout
			if code != 1 || strings.Count(said, "no space left on device") != 1 {
				t.Errorf("got status %d, %q; want 1 and the cause", code, said)
			}
			if code := unprinted(0); code != 0 {
				t.Errorf("afterwards: got status %d; want 0", code)
			}
		})
	}
}
