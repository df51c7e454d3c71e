package console

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// Calls over a time are printed, the longest first, with their frames, goroutines and callers.
func TestCallsOverATimeAsLines(t *testing.T) {
	s := replayed(t, 60)
	got := output(t, s, "calls broadphase >0.05ms")
	call := regexp.MustCompile(`(?m)^ +\S+ (ms|us)  frame \d+ at \S+ (ms|us), on \S+, called by \S`)
	head := " calls of broadphase over 50.00 us in 60 frames"
	if n := len(call.FindAllString(got, -1)); n < 10 || !strings.Contains(got, head) {
		t.Errorf("got %d lines in\n%s\nwant the calls", n, got)
	}
	if got := output(t, s, "calls broadphase > 1s"); !strings.HasPrefix(got, "0 calls of broadphase over 1.000 s") {
		t.Errorf("got %q; want none", got)
	}
	s.SetSources(func(c *process.Sources) { c.Events = nil })
	if got := output(t, s, "calls broadphase >1ms"); !strings.Contains(got, "the word events makes it") {
		t.Errorf("got %q; want that no events are kept", got)
	}
}

// Marks and messages are printed, all or those with a word.
func TestMarksAndMessagesAsLines(t *testing.T) {
	s := process.NewSession()
	if got := output(t, s, "marks"); got != "no marks" {
		t.Errorf("got %q; want none", got)
	}
	s = replayed(t, 3)
	s.Mark("level loaded")
	s.Mark("boss dead")
	if got := output(t, s, "marks BOSS"); !strings.Contains(got, ": boss dead") || strings.Contains(got, "level") {
		t.Errorf("got %q; want one mark", got)
	}
	if got := output(t, s, "messages"); got != "no messages" {
		t.Errorf("got %q; want none", got)
	}
}

// Sections are printed with their statistics, and a name selects the frames of the newest.
func TestSectionsAsLines(t *testing.T) {
	s := process.NewSession()
	if got := output(t, s, "sections"); got != "no sections" {
		t.Errorf("got %q; want none", got)
	}
	for i := range 30 {
		f := gather.Frame{Index: uint64(i), Begin: platform.Ticks(i) * 10e6, End: platform.Ticks(i+1) * 10e6,
			TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Section: gather.SectionInfo{Number: uint64(i/10 + 1), Name: "wave \x1b"}}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1, Self: 10e6}}}}
		must.Do(t, s.WriteFrame(&f))
	}
	want := `frames 20 to 29: 10 frames, average 10.00 ms, p99 10.00 ms, worst 10.00 ms: wave \x1b`
	if got := output(t, s, "sections"); strings.Count(got, "\n") != 2 || !strings.HasSuffix(got, want) {
		t.Errorf("got %q; want three lines, the last %q", got, want)
	}
	if got := output(t, s, `sections WAVE \x1b`); got != want || s.View().Get().Lens.From != 20 ||
		s.View().Get().Lens.To != 29 {
		t.Errorf("got %q and lens %+v; want %q and its frames", got, s.View().Get().Lens, want)
	}
	err := Command(s, io.Discard, "sections menu")
	if err == nil || !strings.Contains(err.Error(), `no section "menu"`) {
		t.Errorf("got error %v; want that there is none", err)
	}
}
