package viewer

import (
	"image/color"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// learnNames finds the short names of new zones.
func (d *shown) learnNames() {
	if len(d.Zones) < len(d.names) {
		d.names = d.names[:0] // another program's
	}
	for i := len(d.names); i < len(d.Zones); i++ {
		d.names = append(d.names, process.ShortName(&d.Zones[i]))
	}
}

// label returns a zone's name as lists show it. The tip has the whole name.
func (c *canvas) label(d *shown, zone process.ZoneID, name string) string {
	if zone >= 0 && int(zone) < len(d.names) && d.names[zone] != "" && name == d.Zones[zone].Name {
		return d.names[zone]
	}
	return name
}

// tailed draws a zone's name with its sign, like signed, but a name without room loses its beginning: names of one
// family differ at their ends.
func (c *canvas) tailed(x, width float32, r rect, face draw.Face, sign, name string, col color.NRGBA) float32 {
	taken := c.left(x, width, r, face, sign, col)
	return taken + c.tail(x+taken, width-taken, r, face, name, col)
}

const ellipsis = "…"

// tail draws as much of the end of a text as fits, after an ellipsis if that is not all.
func (c *canvas) tail(x, width float32, r rect, face draw.Face, s string, col color.NRGBA) float32 {
	if len(s) > longestName {
		s = s[:longestName]
	}
	rest, room := c.Width(face, s), width-c.Width(face, ellipsis)
	if rest <= width || room <= 0 {
		return c.left(x, width, r, face, s, col)
	}
	for s != "" && rest > room {
		_, size := utf8.DecodeRuneInString(s)
		rest -= c.Width(face, s[:size])
		s = s[size:]
	}
	if s == "" {
		return 0
	}
	taken := c.left(x, width, r, face, ellipsis, col)
	return taken + c.left(x+taken, width-taken+1, r, face, s, col)
}
