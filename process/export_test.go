package process

import (
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// RunAgain makes a session that WriteFrame has fed the program's own again, for the tests that come after.
func RunAgain(s *Session) {
	s.Reset()
	s.mu.Lock()
	s.store.Fed = false
	s.mu.Unlock()
}

// LongestFrame returns the frame that a loss between two times is taken for a part of.
func LongestFrame(s *Session, since, now platform.Ticks) (begin, end platform.Ticks) {
	s.lock()
	defer s.mu.Unlock()
	return s.frames.longestFrame(since, now)
}

// AppendPathHistory appends the hierarchical time of a path in the newest frames, in ms, oldest first. It is NaN before
// the path existed. Paths after the first 20,000 have none, nor have ids out of range. Any goroutine may call it.
func (s *Session) AppendPathHistory(dst []float32, path int32, frames int) []float32 {
	s.lock()
	defer s.mu.Unlock()
	s.store.Digest()
	if path < 0 || int(path) >= s.store.Past.Paths.Len() {
		return dst
	}
	return s.store.Past.Append(dst, s.store.Past.Paths.At(int(path)), s.store.Tree.Paths[path].Birth, frames)
}

// AppendTimelineFrames appends the frame of an age and its neighbours, oldest first: at most older and newer frames, as
// far as they adjoin without a pause between them. Any goroutine may call it.
func (s *Session) AppendTimelineFrames(dst []timeline.Frame, age, older, newer int) []timeline.Frame {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Reader().AppendFrames(dst, s.store.Past.Age(age), older, newer)
}

// AppendTimelineLanes appends the lanes of the frame of an age, in the frame's order, with the state of their events.
// Any goroutine may call it.
func (s *Session) AppendTimelineLanes(dst []timeline.Lane, age int) []timeline.Lane {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Reader().AppendLanes(dst, s.store.Past.Age(age))
}

// AppendTimelineRange is AppendTimeline for a frame and its neighbours: at most older and newer frames, as far as they
// adjoin without a pause between them (see AppendTimelineFrames). A scope that crosses the border of two frames is one
// scope.
func (s *Session) AppendTimelineRange(dst []timeline.Scope, lane report.LaneID,
	age, older, newer int) []timeline.Scope {
	if lane == timeline.OwnLane {
		if lane = measure.OwnLane(); lane == 0 {
			return dst
		}
	}
	s.lock()
	defer s.mu.Unlock()
	return s.store.Reader().AppendScopes(dst, lane, s.store.Past.Age(age), older, newer)
}

// AppendTopSeries appends the self time of the most important zones in the newest frames, at most frames of them. It is
// like AppendSeries, but only of the lane of the view, or else of the lane that ends the frames, because the busy time
// of a frame is of that lane. There are at most most zones, and no more than 64, the one with the largest mean first.
// The importance of a zone is its mean over the history plus a tenth of its greatest value, so that spikes count. Idle
// zones are left out. Then follows the zone also, of all lanes or the lane of the view, if it is not among them (-1 for
// none). The cost hardly grows with the number of zones. Any goroutine may call it.
func (s *Session) AppendTopSeries(dst []report.Series, frames, most int, also report.ZoneID) []report.Series {
	s.lock()
	defer s.mu.Unlock()
	return s.views.main.rows.AppendTopSeries(dst, frames, most, nil, also)
}

// AppendValueSeries appends a series of each number in the newest frames, at most frames of them. FrameValue.Value is
// that of the newest frame. It reuses the memory of series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendValueSeries(dst []report.ValueSeries, frames int) []report.ValueSeries {
	s.lock()
	defer s.mu.Unlock()
	return s.store.AppendValueSeries(dst, frames)
}

// AppendValues appends the numbers of the viewed frame as a whole: those of the heap, then counts and levels in the
// order of their first use. Any goroutine may call it.
func (s *Session) AppendValues(dst []report.FrameValue) []report.FrameValue {
	s.lock()
	defer s.mu.Unlock()
	return s.views.main.rows.AppendValues(dst, &s.views.main.rows.View)
}

// AppendZoneHistory appends the hierarchical time of a zone in the newest frames, in ms, oldest first. It is NaN before
// the zone existed. Ids out of range have none. Any goroutine may call it.
func (s *Session) AppendZoneHistory(dst []float32, zone report.ZoneID, frames int) []float32 {
	s.lock()
	defer s.mu.Unlock()
	return s.store.AppendZoneHistory(dst, zone, frames)
}

// SetFilter shows only rows whose name contains the text, and the rows above them. Case is ignored for ASCII letters.
// Control characters, and bytes after the first 64, are ignored. The empty text shows all rows. Any goroutine may call
// it.
func (s *Session) SetFilter(text string) { s.View().adjust(func(v *report.View) { v.Filter = text }) }

// SetHidden hides the rows of a zone in all reports, and its part of the history, or shows them again. It goes on being
// measured, and what called it keeps its time. The zone of a call graph keeps its row. At most 256 zones are hidden;
// further ones stay. View.Hidden lists them. Any goroutine may call it.
func (s *Session) SetHidden(zone report.ZoneID, on bool) {
	s.View().Arrange(func(a *report.Arrangement) { a.Hide(zone, on) })
}

// ShowHidden shows all hidden zones again. It returns their number. Any goroutine may call it.
func (s *Session) ShowHidden() (shown int) {
	s.View().adjust(func(v *report.View) { shown, v.Hidden = len(v.Hidden), nil })
	return shown
}

// SetSlowest sets how many of the slowest frames are kept whole beyond the history: 16 by default, at most 1,024. 0 or
// less keeps none. Their records take at most 16 MB; beyond that, fewer frames are kept. Those over budget keep their
// events, and those of two frames on either side: see gather.SetEvents. Any goroutine may call it.
func (s *Session) SetSlowest(frames int) {
	s.change()
	defer s.mu.Unlock()
	if frames <= 0 {
		frames = -1
	}
	s.store.Keep(frames)
}
