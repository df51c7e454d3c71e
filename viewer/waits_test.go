package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/viewer"
)

// The table of a frame whose states are known says how long zones waited, and the tip says for what.
func TestTheTableSaysWhyZonesDidNotRun(t *testing.T) {
	s := blocked(t)
	s.Pause()
	p := onTimeline(s.View(), viewer.TimelineShown, 1100, 700, 1)
	settled(t, p, 1100, 700, 1)
	all := strings.Join(wordsOf(p, 1100, 700), "\n")
	for _, want := range []string{"waiting", "runnable", "3.10", "0.40"} {
		if !strings.Contains(all, "\n"+want+"\n") {
			t.Fatalf("got %q; want a cell %q", all, want)
		}
	}
	for y := float32(300); y < 700; y += 4 {
		for x := float32(300); x < 1000; x += 20 {
			p.SetHover(x, y)
			settled(t, p, 1100, 700, 1)
			if title, words := viewer.Tip(p); title == "physics" && strings.Contains(words, "waiting for mutex") {
				if want := "of 6.00 ms\n3.10 ms waiting for mutex\n0.40 ms waiting for a processor"; words != want {
					t.Errorf("got %q; want %q", words, want)
				}
				return
			}
		}
	}
	t.Fatal("found no tip of physics with reasons")
}
