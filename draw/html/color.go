package html

import (
	"encoding/hex"
	"image/color"

	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// Colours of rows that are no zones at work. They are those of the window's dark theme: package draw has them too, and
// pages must not depend on the fonts that it imports. A test compares them.
var (
	given = color.NRGBA{166, 178, 194, 255} // made by the profiler for time outside the program's zones: (root)
	idle  = color.NRGBA{98, 108, 122, 255}  // zones that wait, and those in no tree
)

// colorsOf returns the colours of a dump's zones, by id, as digits. They are those of the window: the first lane is
// what it shows first.
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
		c, ok := k.Of[0][z.Name]
		switch {
		case zonecolor.IsGiven(z.Name):
			c = given
		case z.Idle || !ok:
			c = idle
		}
		list[i] = hex.EncodeToString([]byte{c.R, c.G, c.B})
	}
	return list
}
