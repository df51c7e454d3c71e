//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// TestAnEmptyCaptureIsSaid: it has no frame, and no date of a start that nobody knows.
func TestAnEmptyCaptureIsSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.iprof")
	file := must.Get(os.Create(path))(t)
	must.Do(t, framefile.NewWriter(file, framefile.Info{Program: "game"}).Close())
	file.Close()
	for _, words := range []string{"top", "tree", "frames"} {
		out := filepath.Join(t.TempDir(), "out")
		_ = command(words+" -o "+out, path)
		text := string(readFile(t, out))
		if !strings.Contains(text, "no frame: the program ended none") || strings.Contains(text, "0001-01-01") {
			t.Errorf("%s: got\n%s", words, text)
		}
	}
}

// TestAnExpressionWithoutAMatchIsSaid: -include of no function.
func TestAnExpressionWithoutAMatchIsSaid(t *testing.T) {
	module := inModule(t, map[string]string{"main.go": "package main\n\nfunc main() {}\n"})
	for include, want := range map[string]bool{"nomatch": true, "main": false} {
		a := must.Get(parse("run", []string{"-module", module, "-n", "-include", include, "."}))(t)
		var out bytes.Buffer
		a.printPlan(&out)
		if got := regexp.MustCompile(`no function has a name like -include nomatch`).Match(out.Bytes()); got != want {
			t.Errorf("-include %s: got\n%s", include, &out)
		}
	}
}

// TestAMistakenAddressIsOneLine: its port is none, and no file of that name is missed.
func TestAMistakenAddressIsOneLine(t *testing.T) {
	said := complained(t, func() { _ = command("top localhost:99999") })
	if want := "iprof: \"localhost:99999\": there is no port \"99999\"; ports are 1 to 65535\n"; said != want {
		t.Errorf("got %q; want %q", said, want)
	}
}
