//go:build !iprof_off

package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/viewer"
)

// A reset while paused is explained as such.
func TestPausedResetDoesNotAskForUpdate(t *testing.T) {
	s := newSteps(t, 300, "work")
	s.frame(8)
	p := s.panel()
	s.Pause()
	s.Reset()
	paused := len(settled(t, p, 1280, 720, 1).V)
	s.Resume()
	if asks := len(settled(t, p, 1280, 720, 1).V); asks <= paused {
		t.Errorf("got %d vertices paused, %d running; want no lines of code to copy while paused", paused, asks)
	}
}

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
