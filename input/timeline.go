package input

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// toggleTimeline shows what happened when, in place of what called what.
func toggleTimeline(_ *process.Session, p *draw.Panel) {
	if p.Timeline() == draw.TimelineHidden {
		p.SetTimeline(draw.TimelineShown)
		return
	}
	p.SetTimeline(draw.TimelineHidden)
}

// enlargeTimeline gives the timeline the table's room too, or takes it back.
func enlargeTimeline(_ *process.Session, p *draw.Panel) {
	if p.Timeline() == draw.TimelineLarge {
		p.SetTimeline(draw.TimelineShown)
		return
	}
	p.SetTimeline(draw.TimelineLarge)
}

func toggleEvents(_ *process.Session, p *draw.Panel) { p.ToggleEvents() }

// zoom zooms whichever of timeline and call structure is shown, about a place on the screen.
func zoom(p *draw.Panel, x float32, notches float64) {
	if p.Timeline() == draw.TimelineHidden {
		p.ZoomIcicle(x, notches)
		return
	}
	p.ZoomTimeline(x, notches)
}

// pan moves it.
func pan(p *draw.Panel, dx, dy float32) {
	if p.Timeline() == draw.TimelineHidden {
		p.PanIcicle(dx, dy)
		return
	}
	p.PanTimeline(dx, dy)
}

// fitAll shows all of it again.
func fitAll(_ *process.Session, p *draw.Panel) {
	if p.Timeline() == draw.TimelineHidden {
		p.FitIcicle(-1)
		return
	}
	p.FitTimeline(-1, -1)
}

// panPerNotch is how far a notch of a wheel that turns sideways moves the time, in device pixels.
const panPerNotch = 60

// scrollTimeline gives the wheel to the timeline, if it is over that: the time zooms, over the names the lanes scroll.
func (c *Controller) scrollTimeline(hit draw.Hit, sideways, notches float64) (used bool) {
	switch hit.Kind {
	case draw.HitTimeline:
		if sideways != 0 {
			c.panel.PanTimeline(float32(sideways*panPerNotch), 0)
		}
		if notches != 0 {
			c.panel.ZoomTimeline(c.x, notches)
		}
	case draw.HitTimelineLane:
		c.wheel -= notches * rowsPerNotch
		rows := int(c.wheel)
		c.wheel -= float64(rows)
		c.panel.ScrollTimeline(rows)
	default:
		return false
	}
	return true
}

// pressTimeline begins to drag the time and chooses the zone under the mouse. A double click makes its scope as wide as the
// screen, or shows the whole frame again.
func (c *Controller) pressTimeline(hit draw.Hit, second bool) {
	c.panning = true
	if second {
		c.panel.FitTimeline(c.x, c.y)
	} else if hit.Zone >= 0 {
		c.pressZone(hit.Zone, false)
	}
}

// pressLane looks at one lane alone, or at all of them again.
func (c *Controller) pressLane(lane uint64) {
	if c.session.View().Lane == lane {
		lane = 0
	}
	c.session.SetLane(lane)
}
