package main

import (
	"strings"
	"testing"

	"example.com/iprof/internal/longtest"
)

// TestWhatASystemCannotDoIsSaid: a report without lines says why.
func TestWhatASystemCannotDoIsSaid(t *testing.T) {
	longtest.Skip(t)
	for _, system := range []string{"windows", "darwin"} {
		if why := linesRefused(system, false); !strings.Contains(why, system) {
			t.Errorf("%s: %q", system, why)
		}
	}
	if why := linesRefused("linux", false); why != "" {
		t.Errorf("linux: %q", why)
	}
	const text = "package main\n\nimport _ \"runtime/pprof\"\n\nfunc main() {}\n"
	module := inModule(t, map[string]string{"main.go": text})
	status, stderr := launched(t, module, "run", ".")
	if status != 0 || strings.Contains(stderr, "no lines") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
