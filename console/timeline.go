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

const (
	timelineLines = 100 // the most scopes printed by default
	timelineWidth = 32  // columns of a scope's bar
)

// timeline prints the longest scopes of the frame shown in the order of time, for the lane shown or all lanes. The
// argument is how many it prints.
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
	c.printFrame()
	if info.Frames == 0 {
		return nil
	}
	frame, ok := c.frameShown(&info, &view)
	if !ok { // another goroutine has called Reset meanwhile
		c.printf("the frame is no longer there")
		return nil
	}
	scopes := c.s.AppendTimelineFrame(nil, view.Lane, frame.Index)
	shortest := longest(scopes, most)
	length := float64(frame.Length) // not the average, which info has
	for _, lane := range c.s.AppendTimelineFrameLanes(nil, frame.Index) {
		if view.Lane != 0 && lane.ID != view.Lane {
			continue
		}
		c.printf("on %s (%d)%s", text.Name(lane.Name), lane.ID, stateOf(&lane))
		for i := range shortest {
			if s := &shortest[i]; s.Lane == lane.ID {
				c.scope(s, length)
			}
		}
	}
	if left := len(scopes) - len(shortest); left > 0 {
		c.printf("%d shorter scopes are left out; timeline %d shows all", left, len(scopes))
	}
	return nil
}

// frameShown returns the frame of the view, from the history or from the slowest frames.
func (c *call) frameShown(info *process.FrameInfo, view *process.View) (f process.FrameSummary, ok bool) {
	if !info.Kept {
		if frames := c.s.AppendFrames(nil, view.Age+1); len(frames) > view.Age {
			return frames[0], true
		}
		return f, false
	}
	for _, f := range c.s.AppendSlowest(nil) {
		if f.Index == info.Index {
			return f, true
		}
	}
	return f, false
}

// longest returns the longest scopes, at most the given number, in the order of time.
func longest(scopes []process.TimelineScope, most int) []process.TimelineScope {
	list := slices.Clone(scopes)
	slices.SortStableFunc(list, func(a, b process.TimelineScope) int {
		return cmp.Compare(b.End-b.Begin, a.End-a.Begin)
	})
	list = list[:min(most, len(list))]
	slices.SortStableFunc(list, func(a, b process.TimelineScope) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Level, b.Level))
	})
	return list
}

// stateOf describes which part of a lane's events is there. It is empty if all are.
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

// scope prints one scope with a bar that shows its place in the frame.
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
	c.printf("  %s %s%10s %10s  %s%s%s", picture, before, text.Duration(s.Begin), text.Duration(s.End-s.Begin),
		strings.Repeat("  ", min(int(s.Level), 20)), text.Name(c.s.Zone(s.Zone).Name), after)
}

// place returns the column of a time in the bar.
func place(ms, length float64) int {
	if !(length > 0) {
		return 0
	}
	return min(max(int(ms/length*timelineWidth), 0), timelineWidth)
}
