package html

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
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

// drawnGame has a frame with a drawn verdict: a zone that took longer, and a wait that somebody ended.
func drawnGame() *report.Dump {
	d := sampledump.Game()
	at := slices.IndexFunc(d.FrameTrees, func(t report.FrameTree) bool { return t.Index == d.Verdict.Index })
	t := &d.FrameTrees[at]
	v := &t.Verdict
	v.Usual, v.Excess = 16, v.Time-16
	c := v.Causes[0]
	v.Causes = append(v.Causes, report.Cause{Kind: report.CauseState, Path: c.Path, Zone: c.Zone, Name: c.Name,
		Time: 12.5, Usual: -1, Lane: "loader </script>", State: gather.LaneState{Kind: gather.StateWaiting,
			Reason: "lock world", At: "main.go:36"}})
	t.Parts = []report.Part{
		{Zone: c.Zone, Path: c.Path, Cause: 1, Time: v.Time - 12, Usual: 4, Count: 30, Often: 3},
		{Zone: c.Zone + 1, Path: c.Path + 1, Time: 9, Usual: 9},
		{Path: report.RestPath, Time: 3, Usual: 3}}
	d.Verdict = *v
	return d
}

// The verdict is drawn: the frame and its usual as bars to one scale, the cause named with its time, and who ended the
// wait.
func TestTheVerdictIsDrawn(t *testing.T) {
	d := drawnGame()
	p := browser.Start(t)
	p.Size(1400, 900, "light")
	open(t, p, d)
	wide := func(selector string) string {
		return "document.querySelector('" + selector + "').getBoundingClientRect().width"
	}
	frame, usual := p.Eval(wide(".drawn .bar .cause")).(float64), p.Eval(wide(".drawn .ghost .cause")).(float64)
	v := &d.Verdict
	if got, want := frame/usual, (v.Time-12)/4; got < 0.95*want || got > 1.05*want {
		t.Errorf("the cause is %.1f times as wide as its usual; want %.1f", got, want)
	}
	for selector, want := range map[string]string{".drawn .excess": "+",
		".drawn p": "in 30 calls, usually 4.00 in 3 calls", ".drawn .bar .cause": v.Causes[0].Name,
		".drawn .wait": "waiting for lock world 12.5 ms \u2192 released by loader </script> at main.go:36"} {
		if got := p.Text("document.querySelector('" + selector + "').textContent"); !strings.Contains(got, want) {
			t.Errorf("%s: got %q; want %q in it", selector, got, want)
		}
	}
	expect(t, p, "the frame's mark below the history", "document.querySelectorAll('#ages .why').length", 1)
	expect(t, p, "its line of source", "document.querySelector('.drawn p small').textContent",
		d.Zones[v.Causes[0].Zone].Site())
	if list := p.Console(); len(list) > 0 {
		t.Errorf("got messages %q; want none", list)
	}
}

// A column of the history is as high as what the budget judges: busy and blocked time.
func TestColumnsAreAsHighAsJudged(t *testing.T) {
	p := browser.Start(t)
	d := sampledump.Game()
	d.History[1].Length, d.History[1].Busy, d.History[1].Blocked = 60, 20, 35
	open(t, p, d)
	const top = "Number(document.querySelector('#scale').lastElementChild.textContent) >= 50"
	expect(t, p, "the scale has room for a blocked frame", top, true)
}
