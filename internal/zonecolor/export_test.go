package zonecolor

import (
	"image/color"

	"example.com/iprof/process/report"
)

// Named returns the colours of the zones of a run in a theme, by name.
func (k *Colors) Named(d *Run, theme int) map[string]color.NRGBA {
	all := map[string]color.NRGBA{}
	for i := range d.Zones {
		if c, ok := k.Of(theme, report.ZoneID(i)); ok {
			all[d.Zones[i].Name] = c
		}
	}
	return all
}

// HueOf returns the number of the hue of a colour of a theme, or -1.
func HueOf(theme int, c color.NRGBA) int {
	p := paletteOf(theme)
	if i := p.indexOf(c); i >= 0 {
		return i / p.shades()
	}
	return -1
}
