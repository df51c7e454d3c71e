package draw

import (
	"image/color"
	"sync"

	"example.com/iprof/internal/zonecolor"
)

// Theme selects the colours.
type Theme uint8

// The themes. No theme uses colour as the only sign of anything.
const (
	ThemeDark         Theme = iota
	ThemeHighContrast       // black ground, bright text, strong edges
	ThemeColorBlind         // blue to orange, for red-green colour blindness
	ThemeLight              // dark text on white, for a light room
	NumThemes         = iota
)

// Palette holds the colours of a theme, from back to front.
type Palette struct {
	Background, Surface, Raised color.NRGBA // the screen; a panel; keys, tracks, the tooltip
	Stripe, Selected, Hovered   color.NRGBA // every other row; the cursor's row; the row under the mouse
	Tab                         color.NRGBA // the active tab
	Outline, GridLine           color.NRGBA

	TextBright, TextNormal, TextDim, TextFaint color.NRGBA

	Accent, Green, Amber, Red color.NRGBA // selectable things; good, attention, bad
	Grey                      color.NRGBA // idle zones, and time without a zone
	Idle                      color.NRGBA // the ground of idle scopes
	Strong                    color.NRGBA // highlights, and edges that must be visible: white, or black on white
	Collection                color.NRGBA // frames with a garbage collection
	Machine                   color.NRGBA // time in which the machine gave the processor to other programs
	theme                     Theme       // whose colours zones have
}

// dark is the palette of ThemeDark. AppendReport and AppendGraph use it.
var dark = Palette{
	Background: color.NRGBA{14, 17, 22, 255},
	Surface:    color.NRGBA{22, 27, 34, 255},
	Raised:     color.NRGBA{33, 39, 48, 255},
	Stripe:     color.NRGBA{255, 255, 255, 7},
	Selected:   color.NRGBA{35, 52, 72, 255},
	Hovered:    color.NRGBA{255, 255, 255, 16},
	Tab:        color.NRGBA{36, 58, 88, 255},
	Outline:    color.NRGBA{42, 49, 60, 255},
	GridLine:   color.NRGBA{32, 38, 47, 255},
	TextBright: color.NRGBA{240, 244, 250, 255},
	TextNormal: color.NRGBA{212, 219, 228, 255},
	TextDim:    color.NRGBA{150, 160, 173, 255},
	TextFaint:  color.NRGBA{132, 142, 156, 255},
	Accent:     color.NRGBA{88, 166, 255, 255},
	Green:      color.NRGBA{86, 201, 141, 255},
	Amber:      color.NRGBA{240, 174, 77, 255},
	Red:        color.NRGBA{250, 110, 110, 255},
	Grey:       color.NRGBA{98, 108, 122, 255},
	Idle:       color.NRGBA{62, 72, 85, 255},
	Strong:     white,
	Collection: color.NRGBA{176, 132, 236, 255},
	Machine:    color.NRGBA{62, 186, 186, 255},
}

var white = color.NRGBA{255, 255, 255, 255}

// palettes are the palettes of the themes. They are made at the first use, so that a program that draws nothing does
// not make them.
var (
	mixing   sync.Once
	palettes [NumThemes]Palette
)

func mix() {
	palettes = [NumThemes]Palette{dark, highContrast(), colorBlind(), light()}
	for i := range palettes {
		palettes[i].theme = Theme(i)
	}
}

// PaletteOf returns the palette of a theme. An unknown theme has the palette of ThemeDark. Callers must not write to
// it.
func PaletteOf(t Theme) *Palette {
	if t >= NumThemes {
		t = ThemeDark
	}
	mixing.Do(mix)
	return &palettes[t]
}

// highContrast returns bright text on black. The faintest text has a contrast of at least 7 to 1.
func highContrast() Palette {
	p := dark
	p.Background, p.Surface = color.NRGBA{0, 0, 0, 255}, color.NRGBA{0, 0, 0, 255}
	p.Raised = color.NRGBA{44, 44, 44, 255}
	p.Stripe, p.Hovered = color.NRGBA{255, 255, 255, 18}, color.NRGBA{255, 255, 255, 48}
	p.Selected, p.Tab = color.NRGBA{0, 60, 130, 255}, color.NRGBA{0, 72, 160, 255}
	p.Outline, p.GridLine = color.NRGBA{150, 150, 150, 255}, color.NRGBA{64, 64, 64, 255}
	p.TextBright, p.TextNormal = white, color.NRGBA{245, 245, 245, 255}
	p.TextDim, p.TextFaint = color.NRGBA{215, 215, 215, 255}, color.NRGBA{180, 180, 180, 255}
	p.Accent, p.Green = color.NRGBA{120, 190, 255, 255}, color.NRGBA{100, 240, 150, 255}
	p.Amber, p.Red = color.NRGBA{255, 200, 60, 255}, color.NRGBA{255, 136, 136, 255}
	p.Grey, p.Collection = color.NRGBA{140, 140, 140, 255}, color.NRGBA{210, 170, 255, 255}
	p.Machine = color.NRGBA{0, 235, 235, 255}
	return p
}

// colorBlind keeps to blue and orange, which almost everyone can distinguish. Zones differ in lightness as much as in
// hue.
func colorBlind() Palette {
	p := dark
	p.Green, p.Amber = color.NRGBA{86, 180, 233, 255}, color.NRGBA{240, 228, 66, 255}
	p.Red = color.NRGBA{240, 130, 30, 255}
	p.Accent = color.NRGBA{150, 200, 255, 255}
	p.Collection, p.Machine = color.NRGBA{230, 230, 230, 255}, color.NRGBA{0, 158, 115, 255}
	return p
}

// light returns dark text on white. Zones have the colours of the dark theme, which stand out from white as well.
func light() Palette {
	return Palette{
		Background: color.NRGBA{233, 236, 241, 255},
		Surface:    white,
		Raised:     color.NRGBA{224, 229, 236, 255},
		Stripe:     color.NRGBA{0, 20, 60, 9},
		Selected:   color.NRGBA{207, 226, 252, 255},
		Hovered:    color.NRGBA{0, 20, 60, 18},
		Tab:        color.NRGBA{190, 214, 248, 255},
		Outline:    color.NRGBA{198, 205, 215, 255},
		GridLine:   color.NRGBA{226, 230, 236, 255},
		TextBright: color.NRGBA{12, 16, 23, 255},
		TextNormal: color.NRGBA{36, 44, 54, 255},
		TextDim:    color.NRGBA{76, 86, 99, 255},
		TextFaint:  color.NRGBA{92, 101, 115, 255},
		Accent:     color.NRGBA{10, 92, 196, 255},
		Green:      color.NRGBA{12, 118, 64, 255},
		Amber:      color.NRGBA{146, 84, 0, 255},
		Red:        color.NRGBA{188, 30, 42, 255},
		Grey:       color.NRGBA{150, 159, 170, 255},
		Idle:       color.NRGBA{214, 220, 228, 255},
		Strong:     color.NRGBA{0, 0, 0, 255},
		Collection: color.NRGBA{116, 64, 196, 255},
		Machine:    color.NRGBA{0, 118, 124, 255},
	}
}

// ZoneColor returns the colour of a zone by its package and name: see the function ZoneColor.
func (p *Palette) ZoneColor(pkg, name string) color.NRGBA {
	return zonecolor.Base(int(p.theme), pkg, name)
}

// Heat returns the colour for a heat of 0..1: dim, amber, red. Values outside are clamped.
func (p *Palette) Heat(heat float32) color.NRGBA {
	if !(heat > 0) {
		return p.TextDim
	}
	if heat < 0.5 {
		return Mix(p.TextDim, p.Amber, heat*2)
	}
	return Mix(p.Amber, p.Red, min(heat, 1)*2-1)
}
