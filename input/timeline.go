package input

import "example.com/iprof/viewer"

// panPerNotch is the distance that one notch of a sideways wheel moves the time, in device pixels.
const panPerNotch = 60

// scrollTimeline handles the wheel over the timeline. Over the scopes it zooms the time; over the lanes' names it
// scrolls the lanes. It reports whether the mouse was over either.
func (c *Controller) scrollTimeline(hit viewer.Hit, sideways, notches float64) (used bool) {
	switch hit.Kind {
	case viewer.HitTimeline:
		if sideways != 0 {
			c.panel.Pan(float32(sideways*panPerNotch), 0)
		}
		if notches != 0 {
			c.panel.Zoom(c.x, notches)
		}
	case viewer.HitTimelineLane:
		c.panel.ScrollTimeline(c.rows(notches))
	default:
		return false
	}
	return true
}

// pressTimeline begins to drag the time, and moves the cursor to the zone under the mouse. A double click fits the
// scope to the width of the screen; on a scope that already fits, it shows the whole frame. With Shift, or after the
// command "ruler", a drag measures.
func (c *Controller) pressTimeline(hit viewer.Hit, second, shift bool) {
	if shift || c.panel.State().Measuring {
		c.drag = dragRuler
		c.panel.StartRuler(c.x, c.y)
		return
	}
	c.drag = dragCalls
	if second {
		c.runHere("fit")
	} else if hit.Zone >= 0 {
		c.pressZone(hit.Zone, false)
	}
}

// pressLane shows one lane alone, or all lanes again. It opens or folds a group.
func (c *Controller) pressLane(hit viewer.Hit) {
	lane := hit.Lane
	if c.panel.Press(hit) {
		return
	}
	if c.session.View().Lane == lane {
		lane = 0
	}
	c.session.SetLane(lane)
}
