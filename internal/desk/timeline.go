package desk

import (
	"fmt"

	"example.com/iprof/viewer"
)

// startTimeline shows the timeline and records the events for it, if the flag -timeline is set.
func (d *Desk) startTimeline(t *Tab) {
	if d.options.Timeline {
		t.panel.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
		t.panel.Run("events")
	}
}

// TimelineLine returns the line of the timeline: its mode and the part of the frame in sight.
func TimelineLine(p *viewer.Panel) string {
	s := p.State()
	modes := [...]string{
		viewer.TimelineHidden: "hidden", viewer.TimelineShown: "shown", viewer.TimelineLarge: "large",
	}
	return fmt.Sprintf("timeline %s from %.3f to %.3f", modes[p.Options().Timeline], s.TimelineFrom, s.TimelineTo)
}
