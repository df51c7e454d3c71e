package runreport_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/process/report"
)

// TestLinesOfAFileAreWhole: a report for a file or a pipe has its rows whole, however long the names are.
func TestLinesOfAFileAreWhole(t *testing.T) {
	name := strings.Repeat("long", 20)
	run := pool(41)
	run.Dump.Zones[2].Name = name
	for width, whole := range map[int]bool{0: false, runreport.Uncut: true} {
		var b bytes.Buffer
		must.Do(t, run.Write(&b, runreport.Options{Width: width}))
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

// TestUnmeasuredGoroutinesCallNothing: their entries stand below a zone of the profiler's, which is no caller.
func TestUnmeasuredGoroutinesCallNothing(t *testing.T) {
	run := pool(40)
	run.Dump.Zones = append(run.Dump.Zones, gather.ZoneInfo{Name: "(unmeasured goroutines)"})
	run.Dump.Merged = append(run.Dump.Merged[:2], report.TreeNode{Zone: 3, Parent: 0, Level: 1, Self: 0},
		report.TreeNode{Zone: 2, Parent: 2, Level: 2, Count: 2_000, Self: 800, Hier: 800})
	text := written(t, run)
	if strings.Contains(text, "by (unmeasured") || !strings.Contains(text, "hash, called 2,000 times") {
		t.Errorf("got\n%s\nwant no caller", text)
	}
}
