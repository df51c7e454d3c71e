package desk

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"example.com/iprof/internal/outfile"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// TestTheWindowSurvivesAPanic of an action: it says what failed, goes on, and leaves no file.
func TestTheWindowSurvivesAPanic(t *testing.T) {
	var out bytes.Buffer
	s := process.NewSession()
	d := &Desk{tab: &Tab{session: s, panel: viewer.PanelFor(s)}, options: Options{Lines: &out}}
	d.event("this key", func() { panic("boom") })
	d.event("that key", func() {})
	if got := out.String(); !strings.HasPrefix(got, "this key failed: ") || !strings.Contains(got, "boom") ||
		strings.Contains(got, "that key") {
		t.Errorf("got %q; want that this key failed, and why", got)
	}
	folder := t.TempDir()
	err := attempt(func() error {
		return outfile.Write(folder+"/page.html", func(w io.Writer) error {
			_, _ = io.WriteString(w, "half")
			panic("boom")
		})
	})
	left, _ := os.ReadDir(folder)
	if err == nil || !strings.Contains(err.Error(), "boom") || len(left) != 0 {
		t.Errorf("got %v, and files %v; want the panic as an error, and none", err, left)
	}
}
