package main

import (
	"strings"
	"testing"
	"time"
)

// TestALongStartSaysWhatItDoes: to choose and to build may take minutes. -report none is silent.
func TestALongStartSaysWhatItDoes(t *testing.T) {
	module := inModule(t, map[string]string{"main.go": brokenMain})
	before := sayAfter
	defer func() { sayAfter = before }()
	sayAfter = time.Millisecond
	for _, report := range []string{"-", "none"} {
		if report == "none" && testing.Short() {
			continue
		}
		_, said := launched(t, module, "run", "-report", report, ".")
		for _, what := range []string{"choosing functions", "building the program with zones: 1ms so far\n"} {
			if strings.Contains(said, what) != (report == "-") {
				t.Errorf("-report %s: got\n%s\nwant %q only with a report", report, said, what)
			}
		}
	}
}
