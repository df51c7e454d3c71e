package draw

import "image/color"

// Theme chooses the colours of a Panel.
type Theme uint8

// The themes. Nothing is told by colour alone in any of them.
const (
	ThemeDark         Theme = iota
	ThemeHighContrast       // black ground, bright text, strong edges
	ThemeColorBlind         // blue to orange: safe for eyes that do not tell red from green
	numThemes         = iota
)

// palette is the colours of the display, from back to front.
type palette struct {
	background, surface, raised color.NRGBA // the screen; a panel; keys, tracks, the tooltip
	stripe, selected, hovered   color.NRGBA // every other row; the cursor's; the one under the mouse
	tab                         color.NRGBA // the tab in force
	outline, gridLine           color.NRGBA

	textBright, textNormal, textDim, textFaint color.NRGBA

	accent, green, amber, red color.NRGBA // what can be chosen; good, attention, bad
	grey                      color.NRGBA // idle zones, and what has no zone
	gcColor                   color.NRGBA // frames with a garbage collection
	given, profiler           color.NRGBA // zones that are not the program's
	zones                     *[hues * shades]color.NRGBA
}

// dark is the palette of ThemeDark, and of what DrawGL draws.
var dark = palette{
	background: color.NRGBA{14, 17, 22, 255},
	surface:    color.NRGBA{22, 27, 34, 255},
	raised:     color.NRGBA{33, 39, 48, 255},
	stripe:     color.NRGBA{255, 255, 255, 7},
	selected:   color.NRGBA{35, 52, 72, 255},
	hovered:    color.NRGBA{255, 255, 255, 16},
	tab:        color.NRGBA{36, 58, 88, 255},
	outline:    color.NRGBA{42, 49, 60, 255},
	gridLine:   color.NRGBA{32, 38, 47, 255},
	textBright: color.NRGBA{240, 244, 250, 255},
	textNormal: color.NRGBA{212, 219, 228, 255},
	textDim:    color.NRGBA{150, 160, 173, 255},
	textFaint:  color.NRGBA{120, 130, 144, 255},
	accent:     color.NRGBA{88, 166, 255, 255},
	green:      color.NRGBA{86, 201, 141, 255},
	amber:      color.NRGBA{240, 174, 77, 255},
	red:        color.NRGBA{250, 110, 110, 255},
	grey:       color.NRGBA{98, 108, 122, 255},
	gcColor:    color.NRGBA{176, 132, 236, 255},
	given:      color.NRGBA{166, 178, 194, 255},
	profiler:   color.NRGBA{158, 122, 92, 255},
	zones:      &zoneColors,
}

// The colours that are the same in all themes.
var (
	onColor = color.NRGBA{12, 16, 22, 255} // text on a zone's colour
	white   = color.NRGBA{255, 255, 255, 255}
)

// palettes are those of the themes.
var palettes = [numThemes]palette{dark, highContrast(), colorBlind()}

// highContrast puts bright text on black: the faintest has a contrast of 7 to 1 and more.
func highContrast() palette {
	p := dark
	p.background, p.surface, p.raised = color.NRGBA{0, 0, 0, 255}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{44, 44, 44, 255}
	p.stripe, p.hovered = color.NRGBA{255, 255, 255, 18}, color.NRGBA{255, 255, 255, 48}
	p.selected, p.tab = color.NRGBA{0, 60, 130, 255}, color.NRGBA{0, 72, 160, 255}
	p.outline, p.gridLine = color.NRGBA{150, 150, 150, 255}, color.NRGBA{64, 64, 64, 255}
	p.textBright, p.textNormal = white, color.NRGBA{245, 245, 245, 255}
	p.textDim, p.textFaint = color.NRGBA{215, 215, 215, 255}, color.NRGBA{180, 180, 180, 255}
	p.accent, p.green = color.NRGBA{120, 190, 255, 255}, color.NRGBA{100, 240, 150, 255}
	p.amber, p.red = color.NRGBA{255, 200, 60, 255}, color.NRGBA{255, 130, 130, 255}
	p.grey, p.gcColor = color.NRGBA{140, 140, 140, 255}, color.NRGBA{210, 170, 255, 255}
	return p
}

// colorBlind keeps to blue and orange, which all eyes but the rarest tell apart; zones differ in lightness as much as in hue.
func colorBlind() palette {
	p := dark
	p.green, p.amber, p.red = color.NRGBA{86, 180, 233, 255}, color.NRGBA{240, 228, 66, 255}, color.NRGBA{240, 130, 30, 255}
	p.accent = color.NRGBA{150, 200, 255, 255}
	p.gcColor = color.NRGBA{230, 230, 230, 255}
	p.zones = &safeColors
	return p
}

// safeColors are zone colours on the way from blue to orange in three steps of hue, with as many lightnesses as fit.
var safeColors = makeSafeColors()

func makeSafeColors() (c [hues * shades]color.NRGBA) {
	for i := range c {
		hue, chroma := 250.0, 0.115
		if i%2 == 1 {
			hue = 70
		}
		if i%6 >= 4 {
			chroma = 0.02
		}
		c[i] = oklch(0.58+0.30*float64(i/2%9)/8, chroma, hue)
	}
	return c
}

// zoneColor is ZoneColor in this palette.
func (p *palette) zoneColor(name string) color.NRGBA {
	switch kinOf(name) {
	case kinGiven:
		return p.given
	case kinProfiler:
		return p.profiler
	}
	return p.zones[zoneIndex(name)]
}

// colorOf is a zone's colour.
func (p *palette) colorOf(name string, idle bool) color.NRGBA {
	if idle {
		return p.grey
	}
	return p.zoneColor(name)
}

// heat is Heat in this palette.
func (p *palette) heat(heat float32) color.NRGBA {
	if !(heat > 0) {
		return p.textDim
	}
	if heat < 0.5 {
		return mix(p.textDim, p.amber, heat*2)
	}
	return mix(p.amber, p.red, min(heat, 1)*2-1)
}
