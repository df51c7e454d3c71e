package viewer

import (
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// TimelineMode is how much room the timeline has.
type TimelineMode uint8

// The timeline modes.
const (
	TimelineHidden   TimelineMode = iota
	TimelineShown                 // replaces the call structure
	TimelineLarge                 // replaces the call structure and the table
	numTimelineModes = iota
)

// timelineEvents is the number of events that each lane keeps once the panel has switched their recording on: 1 MB for
// each lane.
const timelineEvents = 1 << 16

// toggleEvents switches the recording of events on or off for the whole program. A timeline needs events. The panel
// records 65,536 events for each lane; see gather.SetEvents for other numbers.
func (p *Panel) toggleEvents() {
	p.change(func() {
		if gather.Events() > 0 {
			gather.SetEvents(0)
			return
		}
		gather.SetEvents(timelineEvents)
	})
}

// zoomTimeline zooms the timeline. A notch shows four fifths as much time; negative notches show more. The time at x,
// in pixels, keeps its place; for an x outside, the middle does. Zoomed out beyond the frame, it shows the neighbouring
// frames. NaN is ignored. Any goroutine may call it.
func (p *Panel) zoomTimeline(x float32, notches float64) {
	p.change(func() { p.timeline.Zoom(x, notches) })
}

// panTimeline moves the timeline by dx and dy pixels: the time sideways, the lanes up and down. It stops at the ends.
// Infinities and NaN are ignored. Any goroutine may call it.
func (p *Panel) panTimeline(dx, dy float32) { p.change(func() { p.timeline.Pan(dx, dy) }) }

// ScrollTimeline moves the lanes of the timeline by a number of rows, down if above 0. It stops at the ends. Any
// goroutine may call it.
func (p *Panel) ScrollTimeline(rows int) {
	p.change(func() { p.timeline.Scroll(rows) })
}

// fitTimeline fits the scope at a place, in pixels, to the width of the screen. If there is no scope, or it fits
// already, it shows the whole frame. Any goroutine may call it.
func (p *Panel) fitTimeline(x, y float32) {
	p.change(func() { p.timeline.Fit(x, y) })
}

// placeTimeline gives the timeline its room: the place of the call structure, as high as the bands need, or the table's
// place too.
func (p *Panel) placeTimeline(at *regions) {
	if t := &p.timeline; p.options.Timeline != TimelineHidden && p.shown.Info.Frames > 0 {
		t.Follow(&p.shown, p.options.Theme)
		if note := t.CarryOut(&p.shown); note != "" {
			p.note, p.noteDraws = note, noteDraws
		}
		t.Large = p.options.Timeline == TimelineLarge
		at.icicle, at.table = t.Place(at.icicle, at.table, p.canvas.Em)
	}
}

// findOccurrence moves the timeline to the next scope of the cursor's zone, or the previous one for a direction below
// 0. It goes on from the scope found last, else from the middle of the part in sight, and over the borders of frames.
// The first search may need older frames than the last Draw had. The next Draw finishes it.
func (p *Panel) findOccurrence(direction int) {
	p.change(func() {
		p.showTimeline()
		p.timeline.Seek(p.shown.CursorZone(), direction)
	})
}

// showTimeline shows the timeline, if it is hidden.
func (p *Panel) showTimeline() {
	if p.options.Timeline == TimelineHidden {
		p.options.Timeline = TimelineShown
	}
}

// toggleGroups opens all groups of the timeline, or folds all.
func toggleGroups(_ *process.Session, p *Panel) {
	p.change(func() {
		p.showTimeline()
		p.timeline.ToggleGroups()
	})
}

// EventsAction is the Action of the command that switches the recording of events. The timeline finds the command's key
// by it.
const EventsAction = "record events for the timeline"

// eventsKey returns the key that switches events on, "" if there is none.
func eventsKey(keys []KeyHint) string {
	for i := range keys {
		if keys[i].Action == EventsAction {
			return keys[i].Keys
		}
	}
	return ""
}

// measure makes the next drag over the timeline measure, or removes the ruler.
func measure(_ *process.Session, p *Panel) {
	p.change(func() {
		p.showTimeline()
		p.timeline.Measure()
	})
}

// StartRuler begins to measure at x, in pixels, if the timeline is there. The ends of scopes within a few pixels
// attract it. Infinities and NaN are ignored. Any goroutine may call it.
func (p *Panel) StartRuler(x, y float32) {
	p.change(func() {
		if p.options.Timeline != TimelineHidden {
			p.timeline.StartRuler(x, y)
		}
	})
}

// DragRuler moves the other end of the ruler to x, in pixels. Any goroutine may call it.
func (p *Panel) DragRuler(x, y float32) {
	p.change(func() { p.timeline.DragRuler(x, y) })
}
