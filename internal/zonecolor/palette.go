package zonecolor

import (
	"image/color"
	"math"
	"sync"
)

// These are the colours of zones, by hue. In each list, any two differ by at least 12 in CIEDE2000, and so does each
// from red, from grey and from the ground: a test of package viewer. Those of the colour-blind theme do so also as
// deuteranopes and protanopes see them. There are no redder ones, because red is for what is over budget.
var (
	distinct = []color.NRGBA{
		{179, 111, 132, 255}, {191, 108, 88, 255}, {251, 121, 74, 255},
		{247, 177, 152, 255}, {207, 86, 4, 255}, {210, 131, 59, 255}, {245, 192, 118, 255},
		{188, 160, 114, 255}, {213, 152, 0, 255}, {147, 135, 68, 255}, {226, 211, 123, 255},
		{179, 169, 15, 255}, {169, 178, 111, 255}, {108, 142, 3, 255}, {127, 200, 81, 255},
		{39, 153, 54, 255}, {117, 167, 118, 255}, {160, 212, 160, 255}, {87, 249, 176, 255},
		{108, 173, 160, 255}, {26, 209, 209, 255}, {0, 159, 172, 255}, {64, 209, 247, 255},
		{33, 140, 181, 255}, {110, 172, 215, 255}, {116, 120, 193, 255}, {151, 157, 232, 255},
		{216, 199, 249, 255}, {202, 153, 239, 255}, {144, 116, 157, 255}, {165, 91, 197, 255},
		{201, 120, 184, 255}, {255, 185, 217, 255},
	}
	distinctSafe = []color.NRGBA{
		{204, 156, 169, 255}, {130, 86, 79, 255}, {160, 91, 17, 255}, {233, 176, 130, 255},
		{223, 215, 194, 255}, {245, 224, 93, 255}, {99, 142, 89, 255}, {111, 134, 125, 255},
		{103, 170, 237, 255}, {120, 133, 171, 255}, {195, 202, 223, 255}, {111, 109, 232, 255},
		{110, 81, 157, 255},
	}
)

// swatch is a colour of a list with its place among all colours.
type swatch struct {
	color.NRGBA
	hue, light float64 // 0..360 degrees; 0..1
}

// Safe is the number of the colour-blind theme, and Themes the number of themes. The numbers are those of draw.Theme.
const (
	Safe   = 2
	Themes = 3
)

// swatches are the lists by theme. They are measured at the first use, so that a program without colours does not.
func swatches(theme int) []swatch {
	measuring.Do(func() {
		all := measured(distinct)
		measuredLists = [Themes][]swatch{all, all, Safe: measured(distinctSafe)}
	})
	return measuredLists[theme]
}

var (
	measuring     sync.Once
	measuredLists [Themes][]swatch
)

// Swatches returns the colours of a theme's zones.
func Swatches(theme int) (all []color.NRGBA) {
	for _, s := range swatches(theme) {
		all = append(all, s.NRGBA)
	}
	return all
}

// measured finds the places of colours.
func measured(list []color.NRGBA) (s []swatch) {
	for _, c := range list {
		r, g, b := float64(c.R)/255, float64(c.G)/255, float64(c.B)/255
		hue := math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b) * 180 / math.Pi
		s = append(s, swatch{c, math.Mod(hue+360, 360), 0.3*r + 0.6*g + 0.1*b})
	}
	return s
}

// givenSafe is the colour of rows such as (root) in the colour-blind theme.
var givenSafe = color.NRGBA{248, 250, 255, 255}

// profilerColors are the colours of the profiler's own zones.
var profilerColors = [...]color.NRGBA{{158, 122, 92, 255}, {112, 82, 58, 255}, {204, 176, 152, 255}}
