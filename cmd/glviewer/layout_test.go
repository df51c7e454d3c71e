package main

import (
	"testing"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/longtest"
)

// Keys are where the layout of the keyboard has their characters. A key is a place, by its symbol on a US layout, and
// the modifier that is held.
func TestKeysOfOtherLayoutsInAWindow(t *testing.T) {
	longtest.Skip(t)
	type place struct{ held, key xproto.Keysym }
	for name, l := range map[string]struct {
		layout                []string
		help, find, card, one place
	}{
		"de": {[]string{"de"}, place{symbolShift, '-'}, place{symbolShift, '7'}, place{0, 'y'}, place{0, '2'}},
		"fr": {[]string{"fr"}, place{symbolShift, 'm'}, place{symbolShift, '.'}, place{0, 'w'}, place{0, '2'}},
		"dvorak": {[]string{"us", "-variant", "dvorak"}, place{symbolShift, '['}, place{0, '['}, place{0, '/'},
			place{0, '2'}},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, "replay", 1280, 720)
			u.pause(30) // by a key, which makes the keyboard of the test the one that the layout is for
			u.layOut(l.layout...)
			strike := func(p place) {
				if p.held == 0 {
					u.press(p.key)
				} else {
					u.chord(p.held, p.key)
				}
			}
			strike(l.help) // first of all: no character has come yet
			u.see("signs-"+name, 3000)
			strike(l.help)
			u.wait("help open")
			u.press(symbolEscape)
			u.wait("help closed")
			strike(l.find)
			strike(l.card)
			u.wait(`filter "z"`)
			u.press(symbolEscape)
			u.wait(`filter ""`)
			strike(l.card)
			u.wait("card open")
			strike(l.one)
			u.wait("mode hierarchical.*")
			u.layOut("us")
			u.quit()
		})
	}
}
