package html

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// labelOf returns the name by which the page shows a zone, of any characters.
func labelOf(z *gather.ZoneInfo) string {
	if s := report.ShortName(z); s != "" {
		return s
	}
	if isBlank(z.Name) {
		return "(unnamed)"
	}
	return z.Name
}

// label is labelOf for a zone's id.
func (p *page) label(id report.ZoneID) string {
	if id < 0 || int(id) >= len(p.labels) {
		return "(zone " + intText(int(id)) + ")"
	}
	return p.labels[id]
}

// info returns the description of a zone.
func (p *page) info(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(p.d.Zones) {
		return gather.ZoneInfo{}
	}
	return p.d.Zones[id]
}

// color returns the colour of a zone: its own if a verdict of the page names it, else calm.
func (p *page) color(id report.ZoneID) color.NRGBA {
	c := p.own(id)
	if t := p.chosen.frame; id == p.focus || c == draw.PaletteOf(draw.ThemeDark).Grey ||
		zonecolor.Caused(&p.d.Verdict, id) || t != nil && zonecolor.Caused(&t.Verdict, id) {
		return c
	}
	return zonecolor.Calm(c)
}

// own returns the colour of a zone with all of its chroma.
func (p *page) own(id report.ZoneID) color.NRGBA {
	if id < 0 || int(id) >= len(p.colors) {
		return draw.PaletteOf(draw.ThemeDark).Grey
	}
	return p.colors[id]
}

// place returns the source position of a zone: function, file and line, as far as known.
func place(z *gather.ZoneInfo) string {
	if z.File == "" {
		return z.Function
	}
	return strings.TrimSpace(z.Function + " " + z.File + ":" + intText(z.Line))
}

// swatch returns a square in the colour of a zone.
func (p *page) swatch(id report.ZoneID) markup {
	c := p.color(id)
	if c == draw.PaletteOf(draw.ThemeDark).Grey {
		return `<svg class="swatch"><rect fill="var(--grey)"/></svg>`
	}
	return `<svg class="swatch"><rect fill="` + hexOf(c) + `"/></svg>`
}

// named returns the name of a zone with its colour, a sign before it, a link to its callers and callees, its site if
// several zones have the name, and its state.
func (p *page) named(id report.ZoneID, sign string, idle bool) markup {
	z := p.info(id)
	name := "<bdi>" + escaped(sign) + shortened(p.label(id), mostShown) + "</bdi>"
	if href := p.zoneLink(id); href != "" {
		name = `<a href="` + href + `">` + name + "</a>"
	}
	name = p.swatch(id) + `<span class="name">` + name + "</span>"
	if p.same[z.Name] && z.File != "" {
		name += "<small>" + esc(z.Site()) + "</small>"
	}
	if idle {
		name += "<small>idle</small>"
	}
	return name
}

// mostShown is the greatest length of a zone's name in a row, in characters. Longer names lose their middle.
const mostShown = 100

// shortened returns a name of at most some characters: a longer one has lost its middle.
func shortened(name string, most int) markup {
	return escaped(middle(name, float32(most), 1, func(string) float32 { return 1 }))
}

// whole returns an attribute with a zone's whole name and its place.
func (p *page) whole(id report.ZoneID) markup {
	z := p.info(id)
	title := esc(head(z.Name, 400))
	if at := place(&z); at != "" {
		title += "\n" + esc(at)
	}
	return ` title="` + title + `"`
}

// colorsOf returns the colours of a dump's zones, by id. They are the same as in the window, which shows the first lane
// first.
func colorsOf(d *report.Dump) []color.NRGBA {
	var k zonecolor.Colors
	run := zonecolor.Run{Zones: d.Zones, Series: d.Series, Dark: true}
	learn := func(tree []report.TreeNode) {
		run.Tree = tree
		k.Learn(&run)
	}
	for i := range d.Lanes {
		learn(d.Lanes[i].Nodes)
	}
	learn(d.Merged)
	for i := range d.FrameTrees {
		learn(d.FrameTrees[i].Nodes)
	}
	list := make([]color.NRGBA, len(d.Zones))
	for i := range d.Zones {
		z := &d.Zones[i]
		c, ok := k.Of(0, report.ZoneID(i))
		switch {
		case zonecolor.IsGiven(z.Name):
			c = zonecolor.Given
		case z.Idle || !ok:
			c = draw.PaletteOf(draw.ThemeDark).Grey
		}
		list[i] = c
	}
	return list
}
