package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// The lines of a timeline.
const (
	timelineLines = 100
	timelineWidth = 32 // of the picture of a line
)

// timeline prints when the scopes of the frame shown began and how long they took, on the lane shown or all: of so many the
// longest.
func (c *call) timeline() error {
	most := timelineLines
	if c.rest != "" {
		n, err := strconv.Atoi(c.rest)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of lines", c.rest)
		}
		most = n
	}
	info, view := c.s.Info(), c.s.View()
	c.sayFrame()
	if info.Frames == 0 {
		return nil
	}
	if info.Kept {
		c.say("the slowest frames are kept without the times of their scopes")
		return nil
	}
	scopes := c.s.AppendTimeline(nil, view.Lane, view.Age)
	shortest := longest(scopes, most)
	length := float64(c.s.AppendFrames(nil, view.Age+1)[0].Length) // the frame's, not an average
	for _, lane := range c.s.AppendTimelineLanes(nil, view.Age) {
		if view.Lane != 0 && lane.ID != view.Lane {
			continue
		}
		c.say("lane %d %s%s", lane.ID, text.Name(lane.Name), stateOf(&lane))
		for i := range shortest {
			if s := &shortest[i]; s.Lane == lane.ID {
				c.scope(s, length)
			}
		}
	}
	if left := len(scopes) - len(shortest); left > 0 {
		c.say("%d shorter scopes are left out; timeline %d shows all", left, len(scopes))
	}
	return nil
}

// longest returns the longest scopes, at most so many, in the order of time.
func longest(scopes []process.TimelineScope, most int) []process.TimelineScope {
	list := slices.Clone(scopes)
	slices.SortStableFunc(list, func(a, b process.TimelineScope) int { return cmp.Compare(b.End-b.Begin, a.End-a.Begin) })
	list = list[:min(most, len(list))]
	slices.SortStableFunc(list, func(a, b process.TimelineScope) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Level, b.Level))
	})
	return list
}

// stateOf says how much there is of a lane's events.
func stateOf(l *process.TimelineLane) string {
	switch l.State {
	case process.TimelineOff:
		return ": keeps no events; the word events makes it"
	case process.TimelineGone:
		return ": its events of this frame are gone, or were not kept yet"
	case process.TimelineCut:
		return fmt.Sprintf(": from %s on", text.Duration(l.From))
	}
	return ""
}

// scope prints one scope, with its place in the frame as a picture.
func (c *call) scope(s *process.TimelineScope, length float64) {
	from, to := place(s.Begin, length), place(s.End, length)
	to = max(to, from+1)
	if to > timelineWidth {
		from, to = timelineWidth-1, timelineWidth
	}
	picture := strings.Repeat(".", from) + strings.Repeat("=", to-from) + strings.Repeat(".", timelineWidth-to)
	before, after := " ", ""
	if s.Before {
		before = "<"
	}
	if s.After {
		after = " >"
	}
	c.say("  %s %s%10s %10s  %s%s%s", picture, before, text.Duration(s.Begin), text.Duration(s.End-s.Begin),
		strings.Repeat("  ", min(int(s.Level), 20)), text.Name(c.s.Zone(s.Zone).Name), after)
}

// place is a time's column in the picture.
func place(ms, length float64) int {
	if !(length > 0) {
		return 0
	}
	return min(max(int(ms/length*timelineWidth), 0), timelineWidth)
}
