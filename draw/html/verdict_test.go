package html

import (
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
)

// A verdict on a frame that the history has lost leads nowhere, and says so.
func TestVerdictOnALostFrame(t *testing.T) {
	p := browser.Start(t)
	d := sampledump.Game()
	d.Verdict.Index = 3
	open(t, p, d)
	expect(t, p, "button", "document.querySelector('#verdict button').disabled", true)
	expect(t, p, "its tip", "document.querySelector('#verdict button').title",
		"this frame is no longer in the history")
}
