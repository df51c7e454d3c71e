package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/viewer"
)

// Nobody who has reset a paused session is told to call Update.
func TestResetWhilePausedDoesNotScold(t *testing.T) {
	s, p := replayed(t)
	s.Pause()
	s.Reset()
	for mode := viewer.PanelHUD; mode <= viewer.PanelFull; mode++ {
		p.Change(func(o *viewer.Options) { o.Mode = mode })
		said := false
		for _, w := range laidOut(p, 1120, 600).AppendWords(nil) {
			said = said || strings.Contains(strings.ToLower(w.Text), "paused, and nothing is kept")
			if strings.Contains(w.Text, "Update") {
				t.Errorf("mode %d: got %q", mode, w.Text)
			}
		}
		if !said {
			t.Errorf("mode %d: the screen does not say that it is paused", mode)
		}
	}
}

// The line of the HUD has the length that 99 % of the frames do not exceed.
func TestTheLineHasP99(t *testing.T) {
	s, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
	want := fmt.Sprintf("%.1f", s.Info().P99)
	var words []string
	for _, w := range laidOut(p, 1120, 80).AppendWords(nil) {
		words = append(words, strings.TrimSpace(w.Text))
	}
	if line := strings.Join(words, " "); !strings.Contains(line, "p99 "+want) {
		t.Errorf("got %q; want p99 %s", line, want)
	}
}
