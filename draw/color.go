package draw

import "image/color"

// ZoneColor returns the colour of a zone in the dark theme by its package and name; either may be "". It depends on
// nothing else. The viewer and the page know all packages of a program, and give each a hue of its own. They also know
// which zones touch, and give those different shades. Rows without a zone of the program, such as (root), are pale.
func ZoneColor(pkg, name string) color.NRGBA { return dark.ZoneColor(pkg, name) }

// Heat returns the dark theme's colour for a heat of 0..1: grey, amber, red. Values outside are clamped.
func Heat(heat float32) color.NRGBA { return dark.Heat(heat) }

// Mix returns the colour between a and b: a for t = 0, b for t = 1. t must be in 0..1; other values give meaningless
// colours.
func Mix(a, b color.NRGBA, t float32) color.NRGBA {
	w := uint32(t*256 + 0.5)
	m := func(p, q uint8) uint8 { return uint8((uint32(p)*(256-w) + uint32(q)*w + 128) >> 8) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), m(a.A, b.A)}
}

// Fade multiplies a colour's alpha by t, which must be in 0..1.
func Fade(c color.NRGBA, t float32) color.NRGBA {
	c.A = uint8(float32(c.A)*t + 0.5)
	return c
}
