package instrument_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
)

// TestFunctionsThatCompute: names say which functions hold no wait in their own time. Waits with a zone of their own,
// and functions with one, are not the time of their callers.
func TestFunctionsThatCompute(t *testing.T) {
	dir := copied(t, "computes")
	plan := planned(t, dir, instrument.Options{})
	seen := 0
	for _, f := range plan.Functions {
		computes, waits := strings.HasPrefix(f.Name, "computes"), strings.HasPrefix(f.Name, "waits")
		if strings.Contains(f.Name, " func:") || !computes && !waits {
			continue
		}
		if seen++; f.Reason != "" || f.Computes != computes {
			t.Errorf("%s: computes %t, no zone because %q", f.Name, f.Computes, f.Reason)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if want := bytes.Count(text, []byte("\nfunc computes")) + bytes.Count(text, []byte("\nfunc waits")); seen != want {
		t.Errorf("%d of %d functions are listed", seen, want)
	}
}
