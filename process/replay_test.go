package process_test

import (
	"testing"

	"example.com/iprof/process"
)

// The default session may be fed with a replay; then what the running program does is no part of it.
func TestReplayInTheDefaultSession(t *testing.T) {
	s := process.Default()
	s.Reset()                                 // other tests ran in it
	t.Cleanup(func() { process.RunAgain(s) }) // and more may come
	steady(t, s, 0, 5, 2, "late")
	s.Pause()
	s.AppendTotals(nil)
	s.Resume()
	steady(t, s, 5, 1, 2, "late")
	if got := len(s.AppendFrames(nil, 100)); got != 6 {
		t.Errorf("got %d frames after a pause; want all 6", got)
	}
}
