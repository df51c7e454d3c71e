package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

var (
	noticeEvents = notice{"No events are recorded", []string{
		"The order of time is made of the beginning and the end of every scope, kept for each goroutine in a ring.",
	}, []string{
		`iprof.SetEvents(1 << 16) // 1 MB a lane; 0 switches them off`,
	}}
	noticeOverwritten = notice{
		title: "This frame's events are overwritten, or older than their recording",
		words: []string{
			"Goroutines keep their newest events, and those of the slowest frames. SetEvents makes them keep more.",
		},
	}
	noticeNoScopes = notice{
		title: "No scope was open in this frame",
		words: []string{"No zone was entered on these goroutines, nor open."},
	}
)

// notice returns the notice that replaces the bands if there are no scopes.
func (t *timeline) notice() (n *notice, missing bool) {
	if t.data.any() {
		return nil, false
	}
	off, gone := false, len(t.data.Lanes) == 0
	for i := range t.data.Bands {
		if l := t.data.Lane; l != 0 && l != t.data.Bands[i].ID {
			continue
		}
		switch t.data.Bands[i].State {
		case process.TimelineOff:
			off = true
		case process.TimelineGone:
			gone = true
		default:
			return &noticeNoScopes, true
		}
	}
	if off && !gone {
		return &noticeEvents, true
	}
	if gone {
		return &noticeOverwritten, true
	}
	return &noticeNoScopes, true
}

// drawNotice draws as many lines of the notice as there is room for.
func (t *timeline) drawNotice(c *canvas, r rect, n *notice, key string) {
	t.bands.laid = t.bands.laid[:0]
	t.view.in = rect{}
	y := r.y0 + max((r.height()-float32(26+18*len(n.words)+24*len(n.code))*c.em)/2, 0)
	x := r.x0 + max((r.width()-noticeWidth*c.em)/2, 6*c.em)
	line := func(height float32) rect {
		l := rect{x, y, r.x1, y + height*c.em}
		y += height * c.em
		return l
	}
	if l := line(22); l.y1 <= r.y1 {
		width := c.left(l.x0, l.width(), l, draw.FaceBold, n.title, c.TextBright)
		if n == &noticeEvents {
			t.drawRecord(c, rect{l.x0 + width + 14*c.em, l.y0 + 3*c.em, r.x1, l.y1 - 4*c.em}, key)
		}
	}
	for _, s := range n.words {
		if l := line(18); l.y1 <= r.y1 {
			c.left(l.x0, l.width(), l, draw.FaceText, s, c.TextDim)
		}
	}
	for _, s := range n.code {
		if l := line(24); l.y1 <= r.y1 {
			c.left(l.x0, l.width(), l, draw.FaceMono, s, c.TextNormal)
		}
	}
}

// drawRecord draws the button that switches events on, and the key that does the same.
func (t *timeline) drawRecord(c *canvas, r rect, key string) {
	const word = "record them"
	end := r.x0 + c.Width(draw.FaceSmall, word) + 14*c.em
	c.button(end, r.x0-1, r, word, "events")
	if key != "" && end+60*c.em < r.x1 {
		x := end + 8*c.em + c.left(end+8*c.em, 40*c.em, r, draw.FaceSmall, "or key ", c.TextDim)
		c.left(x, 60*c.em, r, draw.FaceBold, key, c.TextNormal)
	}
}

// noticeWidth is the approximate width of the lines in nominal pixels.
const noticeWidth = 590

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
