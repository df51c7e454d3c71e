package instrument_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestCoverOfOneFile: a call of the tool cover without a list of outputs is not one for a package with zones, and runs
// as it is.
func TestCoverOfOneFile(t *testing.T) {
	dir := files(t, map[string]string{
		"overlay.json": `{"Replace": {}}`,
		"main.go":      "package main\n\nfunc main() { println() }\n",
	})
	out := must.Get(exec.Command("go", "tool", "-n", "cover").Output())(t)
	tool := strings.TrimSpace(string(out))
	args := func(to string) []string {
		return []string{"-mode=set", "-var=counters", "-o", filepath.Join(dir, to), filepath.Join(dir, "main.go")}
	}
	if out, err := exec.Command(tool, args("want.go")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	overlay := filepath.Join(dir, "overlay.json")
	must.Do(t, instrument.Tool(append([]string{overlay, tool}, args("got.go")...)))
	want, wrong := os.ReadFile(filepath.Join(dir, "want.go"))
	got, err := os.ReadFile(filepath.Join(dir, "got.go"))
	if err != nil || wrong != nil || !bytes.Equal(got, want) || !bytes.Contains(got, []byte("counters")) {
		t.Errorf("%v, %v: got\n%s\nwant\n%s", err, wrong, got, want)
	}
}
