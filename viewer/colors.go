package viewer

import (
	"image/color"

	"example.com/iprof/internal/zonecolor"
)

// color gives new zones their colours.
func (p *Panel) color() {
	p.shown.learnNames()
	p.colors.Learn(&zonecolor.Run{Zones: p.shown.Zones, Tree: p.shown.Tree, Series: p.shown.Series})
	p.canvas.zones, p.canvas.theme = &p.colors.Of, p.options.Theme
}

// ZoneColor returns the colour of a zone. It is that of the palette until the zone was in a tree.
func (c *canvas) ZoneColor(name string) color.NRGBA {
	if c.zones != nil {
		if col, ok := c.zones[c.theme][name]; ok {
			return col
		}
	}
	return c.Palette.ZoneColor(name)
}

// alike reports whether two zones have the same colour in any theme.
func (c *canvas) alike(a, b string) bool {
	for theme := range c.zones {
		of := c.zones[theme]
		if x, ok := of[a]; ok && x == of[b] {
			return true
		}
	}
	return false
}

// inkOn returns the colour of text on a zone's colour.
func inkOn(col color.NRGBA) color.NRGBA {
	if 3*int(col.R)+6*int(col.G)+int(col.B) < 1150 {
		return white
	}
	return onColor
}

// ColorOf returns the colour of a zone: grey if it is idle, else ZoneColor.
func (c *canvas) ColorOf(name string, idle bool) color.NRGBA {
	if idle {
		return c.Grey
	}
	return c.ZoneColor(name)
}
