package beside_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"example.com/iprof/internal/beside"
	"example.com/iprof/internal/must"
)

func TestFindLooksInPath(t *testing.T) {
	dir, name := t.TempDir(), "iprof-beside-test"
	file := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	t.Setenv("PATH", dir)
	if got, found := beside.Find(name); found {
		t.Errorf("without it: got %s; want none", got)
	}
	must.Do(t, os.WriteFile(file, nil, 0o700))
	if got, found := beside.Find(name); !found || got != file {
		t.Errorf("got %s, %v; want %s", got, found, file)
	}
}
