package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
)

// frameTimes is a sink that notes when frames were, and which lane ended them.
type frameTimes struct {
	mu    sync.Mutex
	state map[uint64]gather.LaneState // of their whole time
}

func (f *frameTimes) WriteFrame(now *gather.Frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state[now.Index] = gather.LaneState{Lane: now.Lanes[0].ID, Kind: gather.StateWaiting, Reason: "the planted lock",
		Begin: now.Begin, End: now.End}
	return nil
}

// TestLateStatesAreExported: a program elsewhere tells of the frame that a paused window shows, after the pause, what a
// goroutine waited for. The exported file of the frame has it, and so has a saved capture.
func TestLateStatesAreExported(t *testing.T) {
	longtest.Skip(t)
	e, at := startElsewhere(t, "127.0.0.1:0")
	defer e.kill()
	times := frameTimes{state: map[uint64]gather.LaneState{}}
	defer e.session.AddSink(&times)()
	u := newUser(t, "replay", 1280, 720, "-out", t.TempDir(), "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	u.press(symbolSpace)
	u.wait("paused")
	shown := number(t, u.wait(`frame (\d+) .*`)[1])
	u.press(symbolLeft)
	u.wait("age 1")
	times.mu.Lock()
	q := times.state[uint64(shown-1)]
	times.mu.Unlock()
	if q.End == 0 {
		t.Fatalf("the program does not know frame %d", shown-1)
	}
	if _, text := u.exportAs("export as chrome"); strings.Contains(text, "the planted lock") {
		t.Fatalf("the state is there before the program told of it:\n%.500s", text)
	}
	e.session.AddStates(q.Begin, q.End, []gather.LaneState{q})
	for _, format := range []string{"export as chrome", "export as perfetto"} {
		for found := false; !found; time.Sleep(time.Second) { // the test's own limit ends it
			_, text := u.exportAs(format)
			found = strings.Contains(text, "waiting for the planted lock")
		}
	}
	u.fromMenu("save a capture")
	s, _, err := capture.Open(u.wait(`saved (.+\.iprof)`)[1])
	if err != nil || !s.View().ShowFrame(uint64(shown-1)) {
		t.Fatal(err, s.View().Info())
	}
	if got := s.AppendStates(nil, s.View().Get().Age); len(got) != 1 || got[0] != q {
		t.Errorf("the capture has %+v; want %+v", got, q)
	}
	u.see("late-states", 100)
	u.quit()
}
