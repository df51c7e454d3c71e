package scene

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
)

// LearnColors gives new zones their colours. It learns nothing from the current frame without an ended one before it:
// otherwise work before the first frame, or before a reset, would decide the colours.
func (d *Scene) LearnColors() {
	if d.Info.Frames == 0 {
		return
	}
	d.Colors.Learn(&zonecolor.Run{Zones: d.Zones, Tree: d.Tree, Series: d.Series})
}

// unchanged reports whether rows are compared with a baseline and a zone's own time is as in it. The zone of the cursor
// keeps its colour.
func (d *Scene) unchanged(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < len(d.Changed) && !d.Changed[zone] && zone != d.CursorZone()
}

// ZoneColor returns the colour in which pictures and lists have a zone: calm, or its own if it stands out. In a
// comparison it is grey if it is unchanged, else its own.
func (d *Scene) ZoneColor(c *canvas.Canvas, zone report.ZoneID, name string) color.NRGBA {
	switch {
	case d.unchanged(zone):
		return draw.Mix(c.Grey, c.Surface, 0.35) // as the history has the zones without a layer
	case d.standsOut(zone) || len(d.Changed) > 0:
		return d.Own(c, zone, name)
	}
	return zonecolor.Calm(d.Own(c, zone, name))
}

// standsOut reports whether a zone is selected, or a cause of the shown frame's time.
func (d *Scene) standsOut(zone report.ZoneID) bool {
	return zone >= 0 && (zone == d.CursorZone() || zonecolor.Caused(&d.Report.Verdict, zone))
}

// Own returns a zone's own colour, with all of its chroma, for causes. Before the zone is in a tree, it depends only on
// its package and name. For -1, no zone, it depends on the name.
func (d *Scene) Own(c *canvas.Canvas, zone report.ZoneID, name string) color.NRGBA {
	if zone >= 0 && int(zone) < len(d.Zones) && d.Zones[zone].Name == name {
		if col, ok := d.Colors.Of(int(c.Theme), zone); ok {
			return col
		}
		return c.Palette.ZoneColor(d.Zones[zone].Package(), name)
	}
	return c.Palette.ZoneColor("", name)
}

// ColorOf returns the colour of a zone: grey if it is idle, else ZoneColor.
func (d *Scene) ColorOf(c *canvas.Canvas, zone report.ZoneID, name string, idle bool) color.NRGBA {
	if idle {
		return c.Grey
	}
	return d.ZoneColor(c, zone, name)
}

// Alike reports whether two zones have the same colour in any theme.
func (d *Scene) Alike(a, b report.ZoneID) bool {
	for theme := range zonecolor.Themes {
		if x, ok := d.Colors.Of(theme, a); ok {
			if y, ok := d.Colors.Of(theme, b); ok && x == y {
				return true
			}
		}
	}
	return false
}
