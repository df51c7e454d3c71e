package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/viewer"
)

// A capture without events says so, and offers nothing that would change it.
func TestACaptureWithoutEventsOffersNoRecording(t *testing.T) {
	s := newSteps(t, 300, "work")
	for range 20 {
		s.frame(8)
	}
	p := s.panel()
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	words := ""
	for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
		words += w.Text + " "
	}
	if !strings.Contains(words, "came without events") || strings.Contains(words, "record them") {
		t.Errorf("got %q", words)
	}
}
