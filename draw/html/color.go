package html

import (
	"encoding/hex"
	"image/color"

	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// idle is the colour of idle zones, and of zones outside all trees. It equals the colour of the window's dark theme in
// package draw; a test compares the two. Pages must not depend on package draw, because it imports fonts.
var idle = color.NRGBA{98, 108, 122, 255}

// colorsOf returns the colours of a dump's zones, by id, as digits. They are the same as in the window, which shows the
// first lane first.
func colorsOf(d *report.Dump) []string {
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
	list := make([]string, len(d.Zones))
	for i := range d.Zones {
		z := &d.Zones[i]
		c, ok := k.Of(0, report.ZoneID(i))
		switch {
		case zonecolor.IsGiven(z.Name):
			c = zonecolor.Given
		case z.Idle || !ok:
			c = idle
		}
		list[i] = hex.EncodeToString([]byte{c.R, c.G, c.B})
	}
	return list
}
