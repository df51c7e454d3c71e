package draw

import (
	"image/color"
	"math"
)

// hues is the number of hues for zones. shades is the number of lightnesses of each hue.
const (
	hues   = 12
	shades = 3
)

// makeZoneColors spreads hues evenly in OKLCH, where equal steps look equal. Neighbours also differ in lightness, for
// people who distinguish few hues.
func makeZoneColors() (c [hues * shades]color.NRGBA) {
	for i := range c {
		hue, shade := i%hues, i/hues
		lightness := 0.745
		if hue%2 == 1 {
			lightness = 0.665
		}
		lightness += []float64{0, 0.08, -0.08}[shade]
		c[i] = oklch(lightness, 0.125, float64(hue)*360/hues+20)
	}
	return c
}

// ZoneColor returns the colour of a zone in the dark theme. It depends on the name alone, so it is the same in every
// run and every picture. The profiler's own zones are brown. Rows that stand for no zone of the program, such as
// (root), are pale.
func ZoneColor(name string) color.NRGBA { return dark.ZoneColor(name) }

// kin says who made a zone. It is derived from the name.
type kin uint8

const (
	kinProgram  kin = iota
	kinGiven        // made by the profiler for time outside the program's zones: "(root)"
	kinProfiler     // the profiler's own work: "iprof draw"
)

// kinOf returns the kin of the zone with a name.
func kinOf(name string) kin {
	switch n := len(name); {
	case n > 2 && name[0] == '(' && name[n-1] == ')':
		return kinGiven
	case n > 6 && name[:6] == "iprof ":
		return kinProfiler
	}
	return kinProgram
}

// zoneIndex returns the index of a zone's colour in Palette.zones.
func zoneIndex(name string) uint32 {
	h := hash(name)
	return h%hues + hues*(h/hues%shades)
}

// hashed is the number of bytes at each end of a name that its colour depends on.
const hashed = 128

// hash is FNV-1a over both ends of a name and its length. A last mixing step gives different colours to names that
// differ in one letter.
func hash(name string) uint32 {
	h := uint32(2166136261)
	n := len(name)
	for i := 0; i < n; i++ {
		if n > 2*hashed && i == hashed {
			i = n - hashed
		}
		h = (h ^ uint32(name[i])) * 16777619
	}
	h ^= uint32(n) ^ h>>15
	h *= 0x2c1b3c6d
	return h ^ h>>13
}

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

// oklch converts lightness 0..1, chroma and hue in degrees to sRGB (Ottosson, 2020). Channels are clamped to the sRGB
// range.
func oklch(l, chroma, hue float64) color.NRGBA {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	a, b := chroma*cos, chroma*sin
	cube := func(v float64) float64 { return v * v * v }
	lo := cube(l + 0.3963377774*a + 0.2158037573*b)
	me := cube(l - 0.1055613458*a - 0.0638541728*b)
	sh := cube(l - 0.0894841775*a - 1.2914855480*b)
	return color.NRGBA{
		gamma(4.0767416621*lo - 3.3077115913*me + 0.2309699292*sh),
		gamma(-1.2684380046*lo + 2.6097574011*me - 0.3413193965*sh),
		gamma(-0.0041960863*lo - 0.7034186147*me + 1.7076147010*sh),
		255,
	}
}

// gamma encodes a linear channel, 0..1, as an sRGB byte.
func gamma(v float64) uint8 {
	v = min(max(v, 0), 1)
	if v <= 0.0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return uint8(math.Round(v * 255))
}
