package runreport_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
)

// TestTheRunSaysHowLongItWaitedForAProcessor: if the system tells, and if it matters.
func TestTheRunSaysHowLongItWaitedForAProcessor(t *testing.T) {
	const ran = "\nran 300 ms, processor 130 ms, profiler 0.0 % of it"
	for away, want := range map[time.Duration]string{
		0:                       ran + "\n",
		5 * time.Millisecond:    ran + "\n",
		1200 * time.Millisecond: ran + ";\n  waited for a processor 1.20 s\n",
	} {
		r := command(gather.ZoneInfo{Name: "sleep", Function: "main.checkUpdate"}, 1, false)
		r.Notes.Away = away
		if text := written(t, r); !strings.Contains(text, want) {
			t.Errorf("away %v: got\n%s\nwant%s", away, text, want)
		}
	}
}
