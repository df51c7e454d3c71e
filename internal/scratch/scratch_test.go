package scratch_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/scratch"
)

func TestNew(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	file := must.Get(scratch.New())(t)
	if _, err := io.Copy(file, strings.NewReader("hello")); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if len(left) > 0 && os.PathSeparator == '/' || err != nil {
		t.Errorf("got %v, %v in the folder; want nothing", left, err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(file); string(text) != "hello" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	file.Close()
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("closed: got %v, %v in the folder; want nothing", left, err)
	}
}
