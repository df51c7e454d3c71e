package editor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

func TestEachEditorOpensAtTheLine(t *testing.T) {
	for editor, want := range map[string]string{
		"vim":              "vim +12 /a b.go",
		"emacsclient -n":   "emacsclient -n +12 /a b.go",
		"/usr/bin/code -n": "/usr/bin/code -n -g /a b.go:12",
		"goland":           "goland --line 12 /a b.go",
		"subl":             "subl /a b.go:12",
		"  ":               "code -g /a b.go:12",
	} {
		if got := strings.Join(arguments(editor, "/a b.go", 12), " "); got != want {
			t.Errorf("editor %q: got %q; want %q", editor, got, want)
		}
	}
}

// The file's name is from a capture: it must not become an option, nor open what is no file.
func TestOnlyFilesAreOpened(t *testing.T) {
	t.Setenv("VISUAL", filepath.Join(t.TempDir(), "no such editor"))
	here := filepath.Join(t.TempDir(), "main.go")
	must.Do(t, os.WriteFile(here, nil, 0o600))
	for _, file := range []string{"-c:!touch owned", "editor_test.go", "/no/such/file.go", t.TempDir(), ""} {
		if err := Open(file, 1); err == nil || !strings.Contains(err.Error(), "not a file here") {
			t.Errorf("file %q: got error %v; want it refused", file, err)
		}
	}
	if err := Open(here, 1); err == nil || !strings.Contains(err.Error(), "no editor") {
		t.Errorf("got error %v; want that there is no such editor", err)
	}
}
