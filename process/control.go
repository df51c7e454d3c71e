package process

import (
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// SetColumns chooses the columns of text reports. Without arguments, the report mode chooses them. Columns of single
// calls have values for zones with SetPerCall, and for all zones while SetEvents keeps events; other rows show "-". The
// table of the viewer has its own choice. Any goroutine may call it.
func (s *Session) SetColumns(columns ...report.Column) {
	s.adjust(func(v *report.View) { v.Columns = report.ColumnsOf(columns...) })
}

// PinBaseline makes the viewed frame or average, of the viewed lane, the baseline, and starts to compare reports with
// it. Reset keeps the baseline. Without a frame it does nothing. Any goroutine may call it.
func (s *Session) PinBaseline() {
	s.change()
	defer s.mu.Unlock()
	s.data.PinBaseline()
}

// View returns the session's view. Any goroutine may call it, like all methods of a Session.
func (s *Session) View() report.View {
	s.lock()
	defer s.mu.Unlock()
	return s.data.View
}

// SetView replaces the view. Values out of range are clamped. The slices Pin and Hidden are copied.
func (s *Session) SetView(v report.View) {
	v.Pin, v.Hidden = slices.Clone(v.Pin), slices.Clone(v.Hidden)
	s.adjust(func(*report.View) { s.data.SetView(v) })
}

// adjust changes the view and clamps it.
func (s *Session) adjust(change func(v *report.View)) {
	s.change()
	defer s.mu.Unlock()
	change(&s.data.View)
	s.data.Clamp(&s.data.View)
}

// SetReportMode chooses the report. Modes beyond the last are the last. The cursor stays on its zone. ReportExtra opens
// with the cursor on the zone of the cause.
func (s *Session) SetReportMode(m report.ReportMode) {
	s.change()
	defer s.mu.Unlock()
	before := s.data.View.Mode
	s.data.View.Mode = m
	if s.data.Clamp(&s.data.View); s.data.View.Mode == report.ReportExtra && before != report.ReportExtra {
		s.data.OpenExtra()
	}
}

// SetAverage chooses how the newest frame's values are smoothed. Averages beyond the last are AverageInstant.
func (s *Session) SetAverage(a report.Average) { s.adjust(func(v *report.View) { v.Average = a }) }

// SetRecursion chooses how recursive zones are shown. Values beyond the last are RecursionSpread.
func (s *Session) SetRecursion(r report.Recursion) {
	s.adjust(func(v *report.View) { v.Recursion = r })
}

// SetLane shows one lane, or all lanes merged if id is 0. An unknown lane has an empty report until the lane appears.
func (s *Session) SetLane(id report.LaneID) { s.adjust(func(v *report.View) { v.Lane = id }) }

// PinPath limits every row to stacks that have these zones in this order, outermost first. Other zones may lie between
// them. Without zones, all stacks count again.
func (s *Session) PinPath(zones ...report.ZoneID) {
	pin := slices.Clone(zones)
	s.adjust(func(v *report.View) { v.Pin = pin })
}

// SetFrame shows the frame of an age: 0 is the newest, with the chosen average, 1 the frame before it. Ages out of
// range are clamped to the history. If a recording has more frames than the history (see HistoryLimits), the range is
// the whole recording: the history then holds the frames around the one shown, and ages below 0 are newer than its
// newest frame. SetFrame switches the lens off. If the frame is slow, the cursor goes to the zone of the cause, as
// after every change of the frame shown: see Verdict.
func (s *Session) SetFrame(age int) {
	s.look(func(v *report.View) { v.Age, v.Kept, v.Lens = age, 0, report.Lens{} })
}

// MoveFrame moves by delta frames: -1 is one frame older. It stops at the ends of the history, or of the recording,
// and switches the lens off.
func (s *Session) MoveFrame(delta int) {
	delta = min(max(delta, -history.MaxFrames), history.MaxFrames)
	s.look(func(v *report.View) { v.Age, v.Kept, v.Lens = v.Age-delta, 0, report.Lens{} })
}

// MoveToOverBudget goes to the next older (dir < 0) or newer frame that was over budget. With View.Lane it goes to a
// frame in which this lane was busy for longer than the budget. If there is no such frame, the view stays.
func (s *Session) MoveToOverBudget(dir int) {
	s.change()
	defer s.mu.Unlock()
	s.data.SeenLane(&s.data.View)
	step := 1
	if dir > 0 {
		step = -1
	}
	for age := s.data.View.Age + step; ; age += step {
		p := s.data.Past.Age(age)
		if p == nil {
			s.data.showOver(-step, age)
			return
		}
		if s.data.Summary(p.Seq, s.data.View.Lane).Over {
			s.data.View.Age, s.data.View.Kept, s.data.View.Lens = age, 0, report.Lens{}
			s.data.Follow()
			return
		}
	}
}

// SetCursor highlights a record. 0 is the first; rows out of range are clamped to the report. The highlight stays on
// that record when it moves in later frames, and on its zone in other reports.
func (s *Session) SetCursor(row int) {
	s.change()
	defer s.mu.Unlock()
	s.data.Point(func(int) int { return row })
}

// SetCursorZone highlights the first record of a zone. If the zone has no record, the highlight stays.
func (s *Session) SetCursorZone(zone report.ZoneID) {
	s.change()
	defer s.mu.Unlock()
	s.data.PointZone(zone)
}

// MoveCursor moves the highlight down by delta lines of the report, up if delta is negative. It stops at the ends.
func (s *Session) MoveCursor(delta int) {
	s.change()
	defer s.mu.Unlock()
	s.data.MoveCursor(delta)
}

// CursorChosen reports whether the user has chosen the highlighted record. It is false in a new session, and after the
// highlight has gone to the zone of a verdict by itself. Any goroutine may call it.
func (s *Session) CursorChosen() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.data.Chosen
}

// Select shows the call graph of the highlighted record's zone, with the cursor on its row. Without records it does
// nothing.
func (s *Session) Select() {
	s.change()
	defer s.mu.Unlock()
	s.data.OpenCursor()
}

// SelectParent shows the call graph of the caller with the largest hierarchical time. In a call graph it takes the
// caller of the graph's zone, in other reports the caller of the highlighted zone. Without a caller it does nothing.
func (s *Session) SelectParent() {
	s.change()
	defer s.mu.Unlock()
	s.data.OpenParent()
}

// SetMuted mutes or unmutes a zone in the running program: see measure.SetMuted. It does nothing in a session that
// WriteFrame feeds, whose ids are another program's. Any goroutine may call it.
func (s *Session) SetMuted(zone gather.ZoneID, on bool) {
	s.lock()
	running := s.data.Running()
	s.mu.Unlock()
	if running {
		measure.SetMuted(zone, on)
	}
}

// Muted reports whether SetMuted has muted a zone. Any goroutine may call it.
func (s *Session) Muted(zone gather.ZoneID) bool {
	s.lock()
	defer s.mu.Unlock()
	return s.data.Running() && measure.Muted(zone)
}

// Arrange changes the arrangement of reports with a function. The function must not call the session. Any goroutine may
// call Arrange.
func (s *Session) Arrange(change func(a *report.Arrangement)) {
	s.adjust(func(v *report.View) { change(&v.Arrangement) })
}

// SetBudget sets the hierarchical time that a zone may take in a frame. Rows that take longer are red in windows, and
// have the remark "over 2 ms". 0 or less, which is the default, means no budget. A zone id that the session does not
// know is ignored. Captures and streams carry the budget. Any goroutine may call it.
//
// For a file with the frames around a zone that takes too long, see the field Zones of capture.BlackBoxOptions.
func (s *Session) SetBudget(zone report.ZoneID, d time.Duration) {
	s.change()
	defer s.mu.Unlock()
	if zone < 0 || int(zone) >= len(s.data.Zones) {
		return
	}
	s.data.ZoneBudgets.Set(zone, d)
	s.data.settings.budgets = s.data.ZoneBudgets.List()
	s.data.useSettings()
}

// Budget returns the time that a zone may take in a frame, 0 if it has no budget. Any goroutine may call it.
func (s *Session) Budget(zone report.ZoneID) time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.data.ZoneBudgets.Of(zone)
}

// SetLens sets the lens. Through a lens, each report shows means per frame over many frames, and Age and Average have
// no effect. The zero Lens is off. The cursor goes to the zone that causes the excess of these frames: see Verdict. Any
// goroutine may call it.
func (s *Session) SetLens(l report.Lens) {
	s.look(func(v *report.View) {
		v.Lens = l
		if l.Kind != report.LensOff {
			v.Kept = 0
		}
	})
}
