package runreport_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/internal/runreport"
)

// TestLinesOfAFileAreWhole: a report for a file or a pipe has its rows whole, however long the names are.
func TestLinesOfAFileAreWhole(t *testing.T) {
	name := strings.Repeat("long", 20)
	run := pool(41)
	run.Dump.Zones[2].Name = name
	for width, whole := range map[int]bool{0: false, runreport.Uncut: true} {
		var b bytes.Buffer
		if err := run.Write(&b, runreport.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), name+"  main.go:10"); got != whole {
			t.Errorf("width %d: got\n%s\nwant the name whole: %t", width, &b, whole)
		}
	}
}

// TestTheProfilersShareIsBySamples: samples in the profiler's code, in functions with a zone, are its processor time.
func TestTheProfilersShareIsBySamples(t *testing.T) {
	run := pool(40)
	run.Notes.Measuring = 20
	if text := written(t, run); !strings.Contains(text, "profiler 50.0 % of it (27.6 to 72.4)") {
		t.Errorf("got\n%s\nwant half of the processor time for the profiler", text)
	}
}
