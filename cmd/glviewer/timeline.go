package main

import (
	"fmt"

	"example.com/iprof/draw"
)

// startTimeline shows frames in the order of time from the beginning, with the events that this takes, if the flag says so.
func (v *viewer) startTimeline() {
	if v.timeline {
		v.panel.SetTimeline(draw.TimelineShown)
		v.panel.ToggleEvents()
	}
}

// timelineLine says which part of the frame's time is in sight.
func timelineLine(p *draw.Panel) string {
	from, to, _ := p.TimelineSpan()
	mode := [...]string{draw.TimelineHidden: "hidden", draw.TimelineShown: "shown", draw.TimelineLarge: "large"}[p.Timeline()]
	return fmt.Sprintf("timeline %s from %.3f to %.3f", mode, from, to)
}
