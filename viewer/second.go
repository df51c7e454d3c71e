package viewer

import (
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/viewer/internal/canvas"
)

// color gives new zones their colours.
func (p *Panel) color() {
	p.shown.LearnNames()
	p.colors.Learn(&zonecolor.Run{Zones: p.shown.Zones, Tree: p.shown.Tree, Series: p.shown.Series})
	p.canvas.Zones, p.canvas.Theme = &p.colors.Of, p.options.Theme
}

// Second is the content of the strip below the history.
type Second uint8

// The contents of the second strip.
const (
	SecondNone    Second = iota
	SecondSlowest        // the slowest frames
	SecondMemory         // bytes allocated, live heap, garbage collections
	SecondValues         // the program's own counts and levels
	numSeconds    = iota
)

// secondHeight is the height of the strip in nominal pixels.
const secondHeight = 92

// drawSecond draws the second strip.
func (p *Panel) drawSecond(r canvas.Rect) {
	switch p.options.Second {
	case SecondSlowest:
		p.slowest.Draw(&p.canvas, &p.shown, r)
	case SecondMemory:
		p.memory.Draw(&p.canvas, &p.shown, &p.strip, r)
	case SecondValues:
		p.values.Draw(&p.canvas, &p.shown, &p.strip, r)
	}
}
