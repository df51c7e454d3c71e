package viewer

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/canvas"
	timelines "example.com/iprof/viewer/internal/timeline"
)

// timelinePart is the timeline.
type timelinePart struct {
	*shared
	timelines.Timeline
}

// toggleTimeline shows the timeline in place of the call structure, or the call structure again.
func toggleTimeline(_ *process.Session, p *Panel) {
	if p.Options().Timeline == TimelineHidden {
		p.Change(func(o *Options) { o.Timeline = TimelineShown })
		return
	}
	p.Change(func(o *Options) { o.Timeline = TimelineHidden })
}

// enlargeTimeline gives the room of the table to the timeline, or back to the table.
func enlargeTimeline(_ *process.Session, p *Panel) {
	if p.Options().Timeline == TimelineLarge {
		p.Change(func(o *Options) { o.Timeline = TimelineShown })
		return
	}
	p.Change(func(o *Options) { o.Timeline = TimelineLarge })
}

// fitHistory shows all consecutive frames around the shown frame, in the timeline and in the history above it, on one
// axis of time. A second call returns to the earlier view.
func fitHistory(_ *process.Session, p *Panel) {
	p.change(func() {
		p.showTimeline()
		if p.timeline.FitHistory() {
			p.strip.All(p.scene.Past.Kept)
		} else {
			p.strip.Back()
		}
	})
}

// join switches the history to or from the time axis that it shares with the timeline, and indents it to the names of
// the lanes. A frame then has the same x in both, and in the strips between them.
func (p *Panel) join(at *regions) {
	d := &p.scene
	joined := p.timeline.View.Joined() && p.options.Timeline != TimelineHidden && !p.answer.Open && d.OneAxis()
	d.ByTime, p.strip.Indent = joined && at.strip.Height() > 0, 0
	if d.ByTime {
		p.strip.Indent = p.timeline.Gutter(p.canvas.Em, at.strip.Width())
	}
}

// findOccurrence goes to the next or previous scope of the cursor's zone; in a list it goes to the next or previous
// row.
func findOccurrence(direction int) action {
	return func(_ *process.Session, p *Panel) {
		if !walkList(p, direction) {
			p.timeline.findOccurrence(direction)
		}
	}
}

// TimelineMode chooses the size of the timeline.
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
func (t *timelinePart) toggleEvents() {
	t.change(func() {
		if gather.Events() > 0 {
			gather.SetEvents(0)
			return
		}
		gather.SetEvents(timelineEvents)
	})
}

// zoom zooms the timeline. A notch shows four fifths as much time; negative notches show more. The time at x,
// in pixels, keeps its place; for an x outside, the middle does. Zoomed out beyond the frame, it shows the neighbouring
// frames. It ignores NaN. Any goroutine may call it.
func (t *timelinePart) zoom(x float32, notches float64) {
	t.change(func() { t.Zoom(x, notches) })
}

// pan moves the timeline by dx and dy pixels: the time sideways, the lanes up and down. It stops at the ends.
// It ignores infinities and NaN. Any goroutine may call it.
func (t *timelinePart) pan(dx, dy float32) { t.change(func() { t.Pan(dx, dy) }) }

// scroll moves the lanes of the timeline by a number of rows, down if above 0. It stops at the ends. Any
// goroutine may call it.
func (t *timelinePart) scroll(rows int) {
	t.change(func() { t.Scroll(rows) })
}

// fit fits the scope at a place, in pixels, to the width of the screen. If there is no scope, or it fits
// already, it shows the whole frame. Any goroutine may call it.
func (t *timelinePart) fit(x, y float32) {
	t.change(func() { t.Fit(x, y) })
}

// placeTimeline gives the timeline its room: the place of the call structure, with the height of its bands, or the
// table's place, too.
func (p *Panel) placeTimeline(at *regions) {
	if t := &p.timeline; p.answer.showsTimeline() && p.scene.Info.Frames > 0 {
		if note, elsewhere := t.CarryOut(&p.scene); note != "" {
			p.say(noteTime, note)
			p.timeline.follow(elsewhere)
		}
		if p.answer.Open {
			return // the timeline has its place
		}
		t.Large = p.options.Timeline == TimelineLarge
		at.icicle, at.table = t.Place(at.icicle, at.table, p.canvas.Em, rowsHeight(p))
	}
}

// follow shows the frame of a scope that is not in the frames shown. The next Draw has it. Without a scope it does
// nothing.
func (t *timelinePart) follow(found timelines.Goal) {
	s := t.session
	if found.Zone <= 0 || s == nil {
		return
	}
	s.Pause()
	if t.view.ShowFrame(found.Frame) {
		t.GoTo(found)
		t.serial++
	}
}

// leadDown connects the timeline with the columns of its frames, in the lowest strip above it.
func leadDown(p *Panel, at *regions) {
	if !p.answer.showsTimeline() {
		return
	}
	plot := p.strip.Plot
	switch {
	case p.answer.Open || p.options.Strip == StripSlowest: // other frames are between
		plot = canvas.Rect{}
	case p.options.Strip != StripNone:
		plot.Y1 = at.second.Y1
	default:
		plot.Y1 = max(plot.Y1, p.strip.Others.Plot.Y1)
	}
	p.timeline.From(&p.scene, plot)
	if d := &p.scene; d.ByTime {
		begin, end := d.TimeInSight()
		p.timeline.Join(p.strip.Plot, begin, end)
	} else {
		p.timeline.Join(canvas.Rect{}, 0, 0)
	}
}

// findOccurrence moves the timeline to the next scope of the cursor's zone, or the previous one for a direction below
// 0. It continues from the last found scope, else from the middle of the visible part, across the borders of frames.
// The first search may need frames older than those in the last Draw; then the next Draw finishes it.
func (t *timelinePart) findOccurrence(direction int) {
	t.change(func() {
		t.showTimeline()
		t.Seek(t.soughtZone(), direction)
	})
}

// soughtZone returns the cursor's zone. If the filter hides its row, it returns the first zone that matches the filter:
// in the rows, or in any frame. Without one it returns -1.
func (t *timelinePart) soughtZone() report.ZoneID {
	d := &t.scene
	r := &d.Report
	if filter := r.View.Filter; filter != "" && r.LineOf(r.Cursor) < 0 {
		for line := range r.Len() {
			if row, record := r.Line(line); record >= 0 {
				return row.Zone
			}
		}
		return d.ZoneOf(filter)
	}
	return d.CursorZone()
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

// eventsKey returns the key that switches events on, "" without one.
func eventsKey(keys []KeyHint) string {
	for i := range keys {
		if keys[i].Action == EventsAction {
			return keys[i].Keys
		}
	}
	return ""
}

// dragRuler makes the next drag over the timeline measure, or removes the ruler.
func dragRuler(_ *process.Session, p *Panel) {
	p.change(func() {
		p.showTimeline()
		p.timeline.Measure()
	})
}

// measuring reports whether the next drag measures.
func (t *timelinePart) measuring() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, measuring := t.Ruled()
	return measuring
}

// startRuler begins to measure at x, in pixels, if the timeline is shown. The ends of scopes within a few pixels
// attract it. It ignores infinities and NaN. Any goroutine may call it.
func (t *timelinePart) startRuler(x, y float32) {
	t.change(func() { t.StartRuler(x, y) })
}

// dragRuler moves the other end of the ruler to x, in pixels. Any goroutine may call it.
func (t *timelinePart) dragRuler(x, y float32) {
	t.change(func() { t.DragRuler(x, y) })
}

const (
	timelineLines = 100 // the most scopes printed by default
	timelineWidth = 32  // columns of a scope's bar
)

// timeline prints the longest scopes of the frame shown in the order of time, for the lane shown or all lanes. The
// argument is their number.
func (t *Line) timeline() error {
	most := timelineLines
	if t.Rest != "" {
		n, err := strconv.Atoi(t.Rest)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number of lines", t.Rest)
		}
		most = n
	}
	info, view := t.Panel.view.Info(), t.Panel.view.Get()
	t.printFrame()
	if info.Frames == 0 {
		return nil
	}
	frame, ok := frameShown(t, &info, &view)
	if !ok { // another goroutine called Reset meanwhile
		t.Printf("the frame is no longer there")
		return nil
	}
	scopes := t.Session.AppendTimelineFrame(nil, view.Lane, frame.Index)
	shortest := longest(scopes, most)
	length := float64(frame.Length) // not the average, which info has
	for _, lane := range t.Session.AppendTimelineFrameLanes(nil, frame.Index) {
		if view.Lane != 0 && lane.ID != view.Lane {
			continue
		}
		t.Printf("on %s (%d)%s", text.Name(lane.Name), lane.ID, stateOf(&lane, info.Tick))
		for i := range shortest {
			if s := &shortest[i]; s.Lane == lane.ID {
				printScope(t, s, length, info.Tick)
			}
		}
	}
	if left := len(scopes) - len(shortest); left > 0 {
		t.Printf("left out %s; timeline %d shows all", printed.Count(left, "shorter scope"), len(scopes))
	}
	return nil
}

// frameShown returns the frame of the view, from the history or from the slowest frames.
func frameShown(t *Line, info *report.FrameInfo, view *report.View) (f report.FrameSummary, ok bool) {
	if !info.Kept {
		if frames := t.Session.AppendFrames(nil, view.Age+1); len(frames) > view.Age {
			return frames[0], true
		}
		return f, false
	}
	for _, f := range t.Session.AppendSlowest(nil) {
		if f.Index == info.Index {
			return f, true
		}
	}
	return f, false
}

// longest returns the longest scopes, at most the given number, in the order of time.
func longest(scopes []timeline.Scope, most int) []timeline.Scope {
	list := slices.Clone(scopes)
	sort.SliceStable(list, func(i, k int) bool { return list[i].End-list[i].Begin > list[k].End-list[k].Begin })
	list = list[:min(most, len(list))]
	sort.SliceStable(list, func(i, k int) bool {
		a, b := &list[i], &list[k]
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Level, b.Level)) < 0
	})
	return list
}

// stateOf describes the part of a lane's events in memory, "" for all.
func stateOf(l *timeline.Lane, tick float64) string {
	switch l.State {
	case timeline.Off:
		return ": keeps no events; the word events makes it"
	case timeline.Gone:
		return ": its events of this frame are gone, or were not kept yet"
	case timeline.Cut:
		return fmt.Sprintf(": from %s on", text.Reading(l.From, tick))
	}
	return ""
}

// printScope prints one scope with a bar that shows its place in the frame.
func printScope(t *Line, s *timeline.Scope, length, tick float64) {
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
	begin, took := text.Reading(s.Begin, tick), text.Reading(s.End-s.Begin, tick)
	said := string(s.Remark.AppendText(nil, text.Name))
	if said != "" {
		said = ": " + said
	}
	t.Printf("  %s %s%10s %10s  %s%s%s%s", picture, before, begin, took,
		strings.Repeat("  ", min(int(s.Level), 20)), text.Name(t.Session.Zone(s.Zone).Name), said, after)
}

// place returns the column of a time in the bar.
func place(ms, length float64) int {
	if !(length > 0) {
		return 0
	}
	return min(max(int(ms/length*timelineWidth), 0), timelineWidth)
}
