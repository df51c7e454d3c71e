//go:build !iprof_off

package viewer_test

import "testing"

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
