package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// The words are counted, and each zone is there with its calls.
func TestTheTreeOfARun(t *testing.T) {
	dir := t.TempDir()
	file, profile := filepath.Join(dir, "text"), filepath.Join(dir, "profile")
	must.Do(t, os.WriteFile(file, []byte("a b A c b a"), 0o600))
	out, err := exec.Command("go", "run", ".", "-tree", "-pprof", profile, file, file, file).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"     9 a\n     6 b\n     3 c\n", "read", "count", "print", "main.sorted"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if info, err := os.Stat(profile); err != nil || info.Size() == 0 {
		t.Errorf("the profile: %v", err)
	}
}
