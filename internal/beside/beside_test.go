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

// Only what is installed with this program is found, never what lies in PATH or in the working directory.
func TestOnlyLooksBesideTheProgram(t *testing.T) {
	dir, name := t.TempDir(), "iprof-beside-only"
	file := name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	t.Setenv("PATH", dir)
	t.Chdir(dir)
	must.Do(t, os.WriteFile(filepath.Join(dir, file), nil, 0o700))
	if got, err := beside.Only(name); err == nil {
		t.Errorf("in PATH and in the working directory: got %s; want an error", got)
	}
	own := filepath.Join(filepath.Dir(must.Get(os.Executable())(t)), file)
	must.Do(t, os.WriteFile(own, nil, 0o700))
	t.Cleanup(func() { os.Remove(own) })
	if got, err := beside.Only(name); err != nil || got != own {
		t.Errorf("got %s, %v; want %s", got, err, own)
	}
}
