package console

import (
	"regexp"
	"strings"
	"testing"

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
	s.SetEventSource(nil)
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
