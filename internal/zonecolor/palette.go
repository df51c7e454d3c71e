package zonecolor

import (
	"image/color"
	"sync"
)

// These are the colours of zones, by hue. In each list, any two differ by at least 12 in CIEDE2000, and so does each
// from red, from grey and from the ground: a test of package viewer. The colours of the colour-blind theme also do so
// for deuteranopes and protanopes. There are no redder ones, because red stands for over budget.
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

// swatch is a colour of a list with its place: the hue, and which of the lightnesses of the hue.
type swatch struct {
	color.NRGBA
	hue, shade int
}

// shades are the numbers of lightnesses of the hues, in the order of the lists: three of each, and fewer in the theme
// for colour blindness, which tells hues apart badly.
var shadesSafe = [...]int{2, 2, 2, 2, 3, 2}

const shades = 3

// Safe is the number of the colour-blind theme, Light the number of the light one, and Themes the count of themes. The
// numbers are the same as in draw.Theme.
const (
	Safe   = 2
	Light  = 3
	Themes = 4
)

// swatches are the lists by theme. They are made at the first use, so that a program without colours does not.
func swatches(theme int) []swatch {
	making.Do(func() {
		all := make([]int, len(distinct)/shades)
		for i := range all {
			all[i] = shades
		}
		usual := placed(distinct, all)
		lists = [Themes][]swatch{usual, usual, Safe: placed(distinctSafe, shadesSafe[:]), Light: usual}
	})
	return lists[theme]
}

var (
	making sync.Once
	lists  [Themes][]swatch
)

// Swatches returns the colours of a theme's zones.
func Swatches(theme int) (all []color.NRGBA) {
	for _, s := range swatches(theme) {
		all = append(all, s.NRGBA)
	}
	return all
}

// placed finds the places of colours.
func placed(list []color.NRGBA, shades []int) (s []swatch) {
	for hue, n := range shades {
		for shade := range n {
			s = append(s, swatch{list[len(s)], hue, shade})
		}
	}
	return s
}

// baseOf returns the index of a zone's preferred swatch.
func baseOf(theme int, hash uint32) int { return int(hash) % len(swatches(theme)) }

// to returns how far another swatch is: 0 for itself, below 10 for the other lightnesses of its hue, more for other
// hues.
func (s *swatch) to(theme int, other *swatch) float64 {
	list := swatches(theme)
	hues := list[len(list)-1].hue + 1
	turn := (other.hue - s.hue + hues) % hues
	step := (other.shade - s.shade + shades) % shades
	return float64(10*min(turn, hues-turn) + step)
}

// Given is the colour of rows that stand for no zone of the program, such as (root): pale.
var Given = color.NRGBA{166, 178, 194, 255}

// givenSafe is the colour of rows such as (root) in the colour-blind theme.
var givenSafe = color.NRGBA{248, 250, 255, 255}

// givenLight is the same for the light theme.
var givenLight = color.NRGBA{92, 104, 120, 255}

// profilerColors are the colours of the profiler's own zones.
var profilerColors = [...]color.NRGBA{{158, 122, 92, 255}, {112, 82, 58, 255}, {204, 176, 152, 255}}
