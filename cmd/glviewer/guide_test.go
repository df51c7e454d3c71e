package main

import (
	"slices"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// The first start offers the guided look, once. Enter goes through it, Escape ends it and does not quit.
func TestFirstStartOffersTheGuide(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	u := newUser(t, "replay", 960, 540)
	if !slices.Contains(u.program.seen, "guide 1") {
		t.Errorf("first start: got %q; want the guide offered", u.program.seen)
	}
	u.pause(40)
	u.see("offered", 500)
	u.press(symbolEnter)
	u.wait("guide 2")
	u.see("history", 2000)
	u.press(symbolRight)
	u.wait("guide 3")
	u.press(symbolEscape)
	u.wait("guide 0")
	u.press('p') // the viewer is still there
	u.wait("precision 3")
	u.quit()

	u = newUser(t, "replay", 960, 540)
	if !slices.Contains(u.program.seen, "guide 0") {
		t.Errorf("second start: got %q; want no offer", u.program.seen)
	}
	u.press(symbolTab)
	u.wait("menu open")
	for _, letter := range "guided" {
		u.press(xproto.Keysym(letter))
	}
	u.press(symbolEnter)
	u.wait("guide 2")
	u.press(symbolEscape)
	u.wait("guide 0")
	u.quit()
}
