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

// A frame that was late because it waited is not green, and says so, as in the window.
func TestLateFramesSayThatTheyWaited(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 900, "light")
	d := sampledump.Game()
	d.History[1].Length, d.History[1].Busy, d.History[1].Over = 40, 5, false
	d.History[2].Length, d.History[2].Busy, d.History[2].Over = 40, 39, true
	open(t, p, d)
	const shown = "document.querySelector('#framed')"
	for at, want := range []string{"big ", "big over", "big far"} {
		p.Click("#plot", (float64(at)+0.5)/300, 0.5)
		expect(t, p, "colour", shown+".className", want)
		expect(t, p, "waited", shown+".textContent.endsWith('ms, waited')", at == 1)
	}
}
