package console

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

func TestTheCommandWhyExplainsTheFrame(t *testing.T) {
	s := process.NewSession()
	if got, want := output(t, s, "why"), "no frame has ended yet"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	s = replayed(t, 120)
	for _, c := range []struct{ line, want string }{
		{"why", "Frame 45: +16.3 ms. streaming 16.8 (usually 0.38).\n" +
			"  streaming: +16.46 ms, 16.84 instead of 0.38 +- 0.02, calls 3 instead of 3"},
		{"frame 0", "frame 119, 0 ago, 15.93 ms, paused"},
		{"average instant", "average instant"},
		{"why", "frame 119: 15.4 ms, usually 15.5: nothing unusual"},
	} {
		if got := output(t, s, c.line); got != c.want {
			t.Errorf("%s: got %q; want %q", c.line, got, c.want)
		}
	}
}

// TestLogEveryExplainsTheWorstFrame replays frames between two lines of a log, with a hitch among them.
func TestLogEveryExplainsTheWorstFrame(t *testing.T) {
	s := process.NewSession()
	r := replay.New(1, s)
	run := func(frames int) string {
		var out bytes.Buffer
		stop := LogEvery(s, &out, time.Hour)
		for range frames {
			r.Step()
		}
		stop()
		return out.String()
	}
	run(100)
	got := run(20)
	if strings.Count(got, "\n") != strings.Count(got, "lane")+1 ||
		!strings.Contains(got, "Frame 110: +8.9 ms. streaming") {
		t.Errorf("got %q; want one line on frame 110", got)
	}
	if got := run(20); strings.Contains(got, "Frame") {
		t.Errorf("got %q; want no line on a frame: all were on time", got)
	}
}
