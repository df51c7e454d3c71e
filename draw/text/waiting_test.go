package text

import (
	"io"
	"strings"
	"testing"

	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// Zones that wait are one line at the end, which says how many they are, and how they are listed.
func TestWaitingZonesAreOneLine(t *testing.T) {
	d := sampledump.Game()
	for i := range d.Zones {
		d.Zones[i].Idle = d.Zones[i].Name == "audio" || d.Zones[i].Name == "streaming"
	}
	var works, waits []report.TreeNode
	idle := false
	for _, n := range d.Merged {
		n.Idle = d.Zones[n.Zone].Idle
		if idle = n.Level > 0 && (idle && n.Level > 1 || n.Idle); idle {
			waits = append(waits, n)
		} else {
			works = append(works, n)
		}
	}
	d.Merged, d.Lanes = append(works, waits...), nil
	for name, write := range map[string]func(w io.Writer, o Options) error{
		"report": func(w io.Writer, o Options) error { return WriteReport(w, sampledump.Flat(), o) },
		"tree":   func(w io.Writer, o Options) error { return WriteTree(w, d, o) },
	} {
		t.Run(name, func(t *testing.T) {
			var folded, listed strings.Builder
			if write(&folded, Options{}) != nil || write(&listed, Options{Idle: true}) != nil {
				t.Fatal("got an error")
			}
			for _, word := range []string{"[idle]", "[open, idle]"} {
				if strings.Contains(folded.String(), word) {
					t.Errorf("got a line with %s in\n%s", word, folded.String())
				}
			}
			if !strings.Contains(listed.String(), "idle]") || strings.Contains(listed.String(), foldedIdle) {
				t.Errorf("listed: got\n%s\nwant lines of what waits", listed.String())
			}
			if strings.Count(folded.String(), foldedIdle) != 1 {
				t.Errorf("got\n%s\nwant one line that says how to list them", folded.String())
			}
			for want, times := range map[string]int{"… and 2 that wait": 2, "waiting  (2 zones, folded)": 1} {
				got := strings.ReplaceAll(folded.String(), "... and", "… and")
				if n := strings.Count(got, want); n != times && strings.HasPrefix(want, "…") == (name == "tree") {
					t.Errorf("got %d times %q; want %d in\n%s", n, want, times, got)
				}
			}
		})
	}
}
