package web_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/web"
)

// hasLabels has the browser know what a Russian layout prints on two keys.
const hasLabels = `Object.defineProperty(navigator, 'keyboard', {value: {
	getLayoutMap: async () => new Map([['KeyZ', 'я'], ['KeyX', 'ч']])}})`

// Keys are where the layout of the keyboard has their characters. A key is a place, by the browser's name on a US
// layout, its character, and the modifiers that are held.
func TestKeysOfOtherLayoutsInABrowser(t *testing.T) {
	longtest.Skip(t)
	type place struct {
		code, key string
		held      []string
	}
	shift := []string{"shift"}
	for name, l := range map[string]struct{ help, find, card, back, one place }{
		"de": {place{"Minus", "?", shift}, place{"Digit7", "/", shift}, place{"KeyY", "z", nil},
			place{"KeyY", "z", []string{"ctrl"}}, place{"Digit2", "2", nil}},
		"fr": {place{"KeyM", "?", shift}, place{"Period", "/", shift}, place{"KeyW", "z", nil},
			place{"KeyW", "z", []string{"ctrl"}}, place{"Digit2", "é", nil}},
		"dvorak": {place{"BracketLeft", "?", shift}, place{"BracketLeft", "/", nil}, place{"Slash", "z", nil},
			place{"Slash", "z", []string{"ctrl"}}, place{"Digit2", "2", nil}},
		"ru": {place{"Digit7", "?", shift}, place{"Backslash", "/", shift}, place{"KeyZ", "я", nil},
			place{"KeyZ", "я", []string{"ctrl"}}, place{"Digit2", "2", nil}},
	} {
		t.Run(name, func(t *testing.T) {
			p := browser.Start(t)
			p.Size(1280, 800, "dark")
			if name == "ru" {
				p.Before(hasLabels)
			}
			u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 60, 0)})
			strike := func(at place) { p.Strike(at.code, at.key, at.held...) }
			strike(l.help) // the signs
			strike(l.help)
			u.wait("help open")
			u.Screenshot("testdata/out/keys-" + name + ".png")
			p.Key("Escape")
			u.wait("help closed")
			strike(l.find)
			strike(l.card)
			typed := l.card.key
			u.wait(`filter "` + typed + `"`)
			p.Key("Escape")
			u.wait(`filter ""`)
			strike(l.card)
			u.wait("card open")
			strike(l.one)
			u.wait("mode hierarchical")
			strike(l.back)
			u.wait("mode self")
			u.quiet()
		})
	}
}

// The browser gets the keys that it keeps for itself. The viewer's commands have other keys.
func TestNoKeyDoesTwoThings(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 60, 0)})
	taken := func(code, key string, alt bool) string {
		return u.Text(fmt.Sprintf(`(() => {
			const e = new KeyboardEvent('keydown', {code: %q, key: %q, ctrlKey: %v, altKey: %v, cancelable: true});
			dispatchEvent(e);
			return e.defaultPrevented + '';
		})()`, code, key, !alt, alt))
	}
	for _, key := range []string{"R", "N", "L", "Q", "W", "T"} {
		if taken("Key"+key, strings.ToLower(key), false) != "false" {
			t.Errorf("Ctrl+%s: got it taken from the browser", key)
		}
	}
	for _, code := range []string{"Minus", "Equal", "Digit0"} {
		if taken(code, "", false) != "false" {
			t.Errorf("Ctrl and %s: got it taken from the browser", code)
		}
	}
	for _, key := range []string{"R", "N", "J", "Q"} {
		if taken("Key"+key, strings.ToLower(key), true) != "true" {
			t.Errorf("Alt+%s: got it left to the browser", key)
		}
	}
	if taken("KeyS", "s", false) != "true" {
		t.Error("Ctrl+S: got it left to the browser; want a picture saved")
	}
}
