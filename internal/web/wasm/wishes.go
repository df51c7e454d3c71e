//go:build js && wasm

package main

import (
	"syscall/js"

	"example.com/iprof/draw"
)

// preferences are the browser's media queries for the user's preferences.
type preferences struct{ light, contrast, reduced js.Value }

// heed follows the user's preferences in the browser: dark or light, more contrast, less motion.
func (p *page) heed() {
	p.light = p.preference("(prefers-color-scheme: light)", p.shades)
	p.contrast = p.preference("(prefers-contrast: more)", p.shades)
	p.reduced = p.preference("(prefers-reduced-motion: reduce)", p.moves)
	p.shades()
	p.moves()
}

// preference asks for a preference of the user's, and has the loop follow its changes.
func (p *page) preference(query string, changed func()) js.Value {
	list := js.Global().Call("matchMedia", query)
	on(list, "change", func(js.Value) { p.enqueue(changed) })
	return list
}

// shades has the tabs in the colours that the user prefers.
func (p *page) shades() {
	theme := draw.ThemeDark
	switch {
	case p.contrast.Get("matches").Bool():
		theme = draw.ThemeHighContrast
	case p.light.Get("matches").Bool():
		theme = draw.ThemeLight
	}
	ground := draw.PaletteOf(theme).Background
	p.screen.ground = [4]uint8{ground.R, ground.G, ground.B, ground.A}
	p.desk.SetTheme(theme)
}

func (p *page) moves() { p.reducedMotion = p.reduced.Get("matches").Bool() }
