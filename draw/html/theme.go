package html

import (
	"image/color"

	"example.com/iprof/draw"
)

// inks are the colours of a palette that differ between light and dark, and their names in the style.
var inks = [...]struct {
	name markup
	of   func(p *draw.Palette) color.NRGBA
}{
	{"back", func(p *draw.Palette) color.NRGBA { return p.Background }},
	{"panel", func(p *draw.Palette) color.NRGBA { return p.Surface }},
	{"faint", func(p *draw.Palette) color.NRGBA { return p.Raised }},
	{"line", func(p *draw.Palette) color.NRGBA { return p.Outline }},
	{"grid", func(p *draw.Palette) color.NRGBA { return p.GridLine }},
	{"chosen", func(p *draw.Palette) color.NRGBA { return p.Selected }},
	{"bright", func(p *draw.Palette) color.NRGBA { return p.TextBright }},
	{"text", func(p *draw.Palette) color.NRGBA { return p.TextNormal }},
	{"quiet", func(p *draw.Palette) color.NRGBA { return p.TextDim }},
	{"faded", func(p *draw.Palette) color.NRGBA { return p.TextFaint }},
	{"accent", func(p *draw.Palette) color.NRGBA { return p.Accent }},
	{"good", func(p *draw.Palette) color.NRGBA { return p.Green }},
	{"late", func(p *draw.Palette) color.NRGBA { return p.Amber }},
	{"bad", func(p *draw.Palette) color.NRGBA { return p.Red }},
	{"grey", func(p *draw.Palette) color.NRGBA { return p.Grey }},
	{"idle", func(p *draw.Palette) color.NRGBA { return p.Idle }},
	{"strong", func(p *draw.Palette) color.NRGBA { return p.Strong }},
	{"gc", func(p *draw.Palette) color.NRGBA { return p.Collection }},
}

// ink is the colour of texts on the colour of a zone, in light and dark.
var ink = color.NRGBA{13, 17, 22, 255}

// inksOf returns the names of a palette's colours.
func inksOf(p *draw.Palette) map[color.NRGBA]markup {
	names := make(map[color.NRGBA]markup, len(inks))
	for _, i := range inks {
		names[i.of(p)] = i.name
	}
	return names
}

// variables appends the colours of a theme as a rule of a style.
func variables(b []byte, t draw.Theme) []byte {
	p := draw.PaletteOf(t)
	b = append(b, ":root{"...)
	for _, i := range inks {
		b = append(append(append(b, "--"...), i.name...), ':')
		b = append(append(b, hexOf(i.of(p))...), ';')
	}
	return append(b, "}\n"...)
}

// makeStyle returns the style of the page, with the colours of light and dark. Paper is light.
func makeStyle() markup {
	b := variables(nil, draw.ThemeLight)
	b = append(b, "@media screen and (prefers-color-scheme:dark){"...)
	return markup(append(append(variables(b, draw.ThemeDark), "}\n"...), styleCSS...))
}
