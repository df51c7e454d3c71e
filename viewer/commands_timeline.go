package viewer

import "example.com/iprof/process"

// toggleTimeline shows the timeline in place of the call structure, or the call structure again.
func toggleTimeline(_ *process.Session, p *Panel) {
	if p.Options().Timeline == TimelineHidden {
		p.Change(func(o *Options) { o.Timeline = TimelineShown })
		return
	}
	p.Change(func(o *Options) { o.Timeline = TimelineHidden })
}

// enlargeTimeline gives the timeline the room of the table, or gives that back.
func enlargeTimeline(_ *process.Session, p *Panel) {
	if p.Options().Timeline == TimelineLarge {
		p.Change(func(o *Options) { o.Timeline = TimelineShown })
		return
	}
	p.Change(func(o *Options) { o.Timeline = TimelineLarge })
}

func toggleEvents(_ *process.Session, p *Panel) { p.toggleEvents() }

// fitHistory shows all frames around the frame shown that follow each other without a pause.
func fitHistory(_ *process.Session, p *Panel) {
	p.change(func() {
		p.showTimeline()
		p.timeline.FitHistory()
	})
}

// findOccurrence goes to the next scope of the cursor's zone, or to the previous one.
func findOccurrence(direction int) action {
	return func(_ *process.Session, p *Panel) { p.findOccurrence(direction) }
}
