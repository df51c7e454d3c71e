package main

import (
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// The report names each zone with its entries: times differ from run to run, counts do not.
func TestHello(t *testing.T) {
	out := must.Run(t, exec.Command("go", "run", "."))
	for _, want := range []string{"zone", "self ms", "frame", "simulate", "draw", "main.cast", "newest frame",
		"all goroutines"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("got:\n%swant %q in it", out, want)
		}
	}
	for _, line := range strings.Split(string(out), "\n") {
		for zone, count := range map[string]string{"main.cast": "4", "simulate": "3", "draw": "1"} {
			fields := strings.Fields(line)
			if len(fields) > 3 && (fields[0] == zone || fields[1] == zone) && fields[len(fields)-1] != count {
				t.Errorf("%q: want %s entries", line, count)
			}
		}
	}
}
