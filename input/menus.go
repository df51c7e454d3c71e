package input

import "example.com/iprof/viewer"

// pressRight opens the menu for the part of the overlay under the mouse.
func (c *Controller) pressRight(hit viewer.Hit) {
	switch hit.Kind {
	case viewer.HitRecord, viewer.HitCaret:
		c.session.SetCursor(hit.Index)
		c.runHere("row-menu")
	case viewer.HitIcicle, viewer.HitLegend, viewer.HitZone, viewer.HitTimeline:
		if hit.Zone < 0 {
			c.runHere("menu")
			return
		}
		c.pressZone(hit.Zone, false)
		c.runHere("row-menu")
	case viewer.HitGraph, viewer.HitAxis, viewer.HitSlow:
		c.runHere("frames")
	case viewer.HitTimelineLane:
		c.runHere("lane-menu")
	case viewer.HitGuide:
		c.panel.Press(hit)
	case viewer.HitHeader, viewer.HitBorder:
		c.after = after{name: "columns"}
	default:
		if c.panel.State().MenuOpen {
			c.panel.Press(viewer.Hit{Kind: viewer.HitMenuAway})
			return
		}
		c.runHere("menu")
	}
}
