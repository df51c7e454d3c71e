package desk

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/internal/must"
)

// TestPromptCompletes: Tab completes folders and captures; other files are not offered.
func TestPromptCompletes(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	for _, name := range []string{"game-1.iprof", "game-2.iprof", "game.txt"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	var opened string
	var p prompt
	q := question{"", func(text string) []string { return completions(text, true) }, isFolder,
		func(path string) { opened = path }}
	p.ask(q)
	p.set(filepath.Join(dir, "ga"))
	p.complete()
	if want := filepath.Join(dir, "game-"); p.text != want || len(p.lines) != 2 {
		t.Errorf("got %q, %q; want %q and two files", p.text, p.lines, want)
	}
	p.at = 1
	p.enter()
	if want := filepath.Join(dir, "game-2.iprof"); opened != want || p.open {
		t.Errorf("opened %q, still open: %t; want %q", opened, p.open, want)
	}
	p.ask(q)
	p.set(filepath.Join(dir, "fo"))
	p.complete()
	if want := filepath.Join(dir, "folder") + string(filepath.Separator); p.text != want {
		t.Errorf("got %q; want %q", p.text, want)
	}
	if p.enter(); !p.open {
		t.Error("a folder was opened as a file")
	}
}
