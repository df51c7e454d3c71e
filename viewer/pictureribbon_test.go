package viewer_test

import (
	"testing"

	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The ribbon above the history: causes in words, late frames in their colours, the window, a selected cause.
func TestPictureOfTheRibbon(t *testing.T) {
	s, p := longRun(t, 4000)
	s.View().SetFrame(591)
	for range 5 {
		p.Run("history-out")
	}
	viewer.Press(p, viewer.Hit{Kind: hit.LateGroup, Index: 1})
	pictured(t, "ribbon", p)
}
