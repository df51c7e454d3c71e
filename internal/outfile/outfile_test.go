//go:build unix

package outfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/outfiletest"
)

func hello(w io.Writer) error {
	_, err := io.WriteString(w, "hello")
	return err
}

func TestFilesOfAllKinds(t *testing.T) {
	outfiletest.Writer{Text: "hello", Replaces: true, Write: func(name string) error {
		err := outfile.Write(name, hello)
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("got %v; want the file's name in it", err)
		}
		return err
	}}.Check(t)
}

func TestAFileThatFailsIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "old")
	must.Do(t, os.WriteFile(name, []byte("old"), 0o600))
	full := errors.New("full")
	err := outfile.Write(name, func(w io.Writer) error { return errors.Join(hello(w), full) })
	if !errors.Is(err, full) || !strings.Contains(err.Error(), name) {
		t.Errorf("got %v; want the writer's error and the file's name", err)
	}
	if text, err := os.ReadFile(name); string(text) != "old" {
		t.Errorf("got %q, %v; want it as it was", text, err)
	}
	outfiletest.OnlyFiles(t, filepath.Dir(name), "old")
}

// While a file is written, its folder has what it had before, so no end of the program leaves half a file.
func TestHalfAFileHasNoName(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has files without names")
	}
	dir := t.TempDir()
	must.Do(t, outfile.Write(filepath.Join(dir, "new"), func(w io.Writer) error {
		outfiletest.OnlyFiles(t, dir)
		return hello(w)
	}))
	outfiletest.OnlyFiles(t, dir, "new")
}
