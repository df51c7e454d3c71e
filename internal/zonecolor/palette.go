package zonecolor

import "image/color"

// palette is the colours of zones: rows of one hue, each of as many shades. Any two differ by at least 9 in CIEDE2000,
// and by at least 7 when calm; a just noticeable difference is 2.3 in CIELAB (Mahy, Van Eycken, Oosterlinck 1994), and
// 9 is seen at once. Each is as far from red, grey and the grounds. The colours of the colour-blind theme are so for
// deuteranopes and protanopes, too. Tests of package viewer measure all this. No hue is redder, because red stands for
// over budget.
type palette struct {
	id     int
	hues   int
	colors []uint32
}

var (
	usual = palette{0, 8, []uint32{
		0x87602a, 0xa54c00, 0xbc6d00, 0xf97700, 0xff9f00, 0xfca674, 0xf8d192, 0xf7ceb7,
		0x706b2a, 0x9a7e34, 0x98973e, 0xc7a447, 0xb1b700, 0xfac400, 0xe9db5f, 0xc5eb04,
		0x067f19, 0x327e56, 0x5f8400, 0x3b9d3e, 0x72a700, 0x01c657, 0x7bd124, 0x74fa77,
		0x007971, 0x3d9485, 0x00a879, 0x4bafaf, 0x00ccbc, 0x54cd9e, 0x3cfbba, 0x00f8e1,
		0x2f7382, 0x3386aa, 0x00909d, 0x00a0df, 0x00adcd, 0x00d4fe, 0x43f2ff, 0xa0e4f7,
		0x3058df, 0x006eac, 0x1a73f5, 0x2c90fe, 0x7388ff, 0x83acff, 0x6ec3ff, 0xb8dcff,
		0x7e3ccd, 0x7863d1, 0x9c71ff, 0xa796ec, 0xcf80ff, 0xb6bdf8, 0xdab4ff, 0xdcd1f6,
		0xb7157b, 0xa62ba8, 0xc75392, 0xbb50d4, 0xeb5ecb, 0xf28abe, 0xff95f7, 0xffc0dd,
	}}
	palettes = [...]*palette{&usual, &safe}

	safe = palette{1, 4, []uint32{
		0x7e4400, 0xb27f6c, 0xdaa490, 0xf9c376,
		0x606f41, 0x927100, 0xffe800, 0xdbedba,
		0x384f98, 0x5b81ff, 0x7fa8ff, 0xaae1ff,
		0x6c4bdd, 0xb963ba, 0xa785ac, 0xc2aac6}}
)

// Safe is the number of the colour-blind theme, Light the number of the light one, and Themes the count of themes. The
// numbers are the same as in draw.Theme.
const (
	Safe   = 2
	Light  = 3
	Themes = 4
)

func paletteOf(theme int) *palette {
	if theme == Safe {
		return &safe
	}
	return &usual
}

// shades returns the number of shades of each hue.
func (p *palette) shades() int { return len(p.colors) / p.hues }

func (p *palette) at(i int) color.NRGBA {
	c := p.colors[i]
	return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

// indexOf returns the index of a colour, or -1.
func (p *palette) indexOf(c color.NRGBA) int {
	for i := range p.colors {
		if p.at(i) == c {
			return i
		}
	}
	return -1
}

// apart returns how far one index is from another: 0 for itself, below 10 for the other shades of its hue.
func (p *palette) apart(a, b int) int {
	n := p.shades()
	turn := (b/n - a/n + p.hues) % p.hues
	return 10*min(turn, p.hues-turn) + (b-a+n)%n
}

// Swatches returns the colours of a theme's zones, hue by hue.
func Swatches(theme int) (all []color.NRGBA) {
	p := paletteOf(theme)
	for i := range p.colors {
		all = append(all, p.at(i))
	}
	return all
}

// Calm returns a colour of the same lightness with less than half of its chroma, for what is as usual. Causes and the
// selection are saturated.
func Calm(c color.NRGBA) color.NRGBA {
	grey := (54*uint32(c.R) + 183*uint32(c.G) + 19*uint32(c.B)) >> 8
	mix := func(v uint8) uint8 { return uint8((115*uint32(v) + 141*grey + 128) >> 8) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), c.A}
}

// Given is the colour of rows that stand for no zone of the program, such as (root): pale.
var Given = color.NRGBA{166, 178, 194, 255}

// givenSafe is the colour of rows such as (root) in the colour-blind theme.
var givenSafe = color.NRGBA{248, 250, 255, 255}

// givenLight is the same for the light theme.
var givenLight = color.NRGBA{92, 104, 120, 255}
