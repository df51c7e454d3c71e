package process

import (
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// SetColumns chooses the columns of text reports. Without columns, they are those of the report mode. Columns of single
// calls have values for zones with SetPerCall, and for all zones while SetEvents keeps events; other rows show "-". The
// table of the viewer has its own choice. Any goroutine may call it.
func (s *Session) SetColumns(columns ...report.Column) {
	s.adjust(func(v *report.View) { v.Columns = report.ColumnsOf(columns...) })
}

// PinBaseline makes the viewed frame or average, of the viewed lane, the baseline, and starts to compare reports with
// it. The baseline stays over Reset. Without a frame it does nothing. Any goroutine may call it.
func (s *Session) PinBaseline() {
	s.change()
	defer s.mu.Unlock()
	s.pinBaseline()
}

// pinBaseline makes what the view shows the baseline.
func (s *builder) pinBaseline() {
	v := s.view
	v.Mode, v.Cursor, v.Recursion = report.ReportSelfTime, 0, report.RecursionFlattened
	v.Arrangement = report.Arrangement{}
	var r report.Report
	s.build(&r, &v)
	if p := s.load(&v); p == nil || p.Lost || len(s.tree.Paths) == 0 {
		return
	}
	s.view.Compare = s.compared.Pin(&r, s.appendBranch(nil, 0)) || s.view.Compare
}

// View returns the session's view. Any goroutine may call it, like all methods of a Session.
func (s *Session) View() report.View {
	s.lock()
	defer s.mu.Unlock()
	return s.view
}

// SetView replaces the view. Values out of range are clamped. The slices Pin and Hidden are copied.
func (s *Session) SetView(v report.View) {
	v.Pin, v.Hidden = slices.Clone(v.Pin), slices.Clone(v.Hidden)
	s.adjust(func(*report.View) { s.setView(v) })
}

// adjust changes the view and clamps it.
func (s *Session) adjust(change func(v *report.View)) {
	s.change()
	defer s.mu.Unlock()
	change(&s.view)
	s.clamp(&s.view)
}

// setView replaces the view. It may have chosen another record.
func (s *builder) setView(v report.View) {
	s.chosen = s.chosen || v.Cursor != s.view.Cursor
	s.view, s.pointed, s.marked = v, true, mark{}
}

// clamp brings a view's values into range.
func (s *builder) clamp(v *report.View) {
	v.Mode = min(v.Mode, report.NumReportModes-1)
	v.Average = min(v.Average, report.AverageInstant)
	v.Recursion = min(v.Recursion, report.RecursionSpread)
	v.Age = min(max(v.Age, 0), max(s.past.Length()-1, 0))
	v.Cursor = max(v.Cursor, 0)
	v.FocusDepth = max(v.FocusDepth, 0)
	v.Columns = v.Columns.And(report.AllColumns)
	v.Lens.Clamp()
	v.Arrangement.Clamp()
	if v.Compare = v.Compare && s.compared.Pinned; !v.Compare && v.Order.By >= report.ColumnDelta {
		v.Order = report.Order{}
	}
}

// SetReportMode chooses the report. Modes beyond the last are the last. The cursor stays on its zone, but ReportExtra
// opens with the cursor on the zone of the cause.
func (s *Session) SetReportMode(m report.ReportMode) {
	s.change()
	defer s.mu.Unlock()
	before := s.view.Mode
	s.view.Mode = m
	if s.clamp(&s.view); s.view.Mode == report.ReportExtra && before != report.ReportExtra {
		s.openExtra()
	}
}

// SetAverage chooses how the newest frame's values are smoothed. Averages beyond the last are AverageInstant.
func (s *Session) SetAverage(a report.Average) { s.adjust(func(v *report.View) { v.Average = a }) }

// SetRecursion chooses how recursive zones are shown. What is beyond the last is RecursionSpread.
func (s *Session) SetRecursion(r report.Recursion) {
	s.adjust(func(v *report.View) { v.Recursion = r })
}

// SetLane shows one lane, or all lanes merged if id is 0. A lane that is not known shows nothing until it appears.
func (s *Session) SetLane(id report.LaneID) { s.adjust(func(v *report.View) { v.Lane = id }) }

// PinPath limits every row to stacks that have these zones in this order, outermost first. Other zones may lie
// between them. Without zones, everything counts again.
func (s *Session) PinPath(zones ...report.ZoneID) {
	pin := slices.Clone(zones)
	s.adjust(func(v *report.View) { v.Pin = pin })
}

// SetFrame shows the frame of an age: 0 is the newest, with the chosen average, 1 the frame before it. Ages out of
// range are clamped to the history. It switches the lens off. As with every change of the frame shown, the cursor goes
// to the zone of the cause if the frame is slow: see Verdict.
func (s *Session) SetFrame(age int) {
	s.look(func(v *report.View) { v.Age, v.Kept, v.Lens = age, 0, report.Lens{} })
}

// MoveFrame moves through the history by delta frames: -1 is one frame older. It stops at the ends and switches the
// lens off.
func (s *Session) MoveFrame(delta int) {
	delta = min(max(delta, -history.MaxFrames), history.MaxFrames)
	s.look(func(v *report.View) { v.Age, v.Kept, v.Lens = v.Age-delta, 0, report.Lens{} })
}

// MoveToOverBudget goes to the next older (dir < 0) or newer frame that was over budget. With View.Lane that is a frame
// in which this lane was busy for longer than the budget. Without one the view stays.
func (s *Session) MoveToOverBudget(dir int) {
	s.change()
	defer s.mu.Unlock()
	s.seenLane(&s.view)
	step := 1
	if dir > 0 {
		step = -1
	}
	for age := s.view.Age + step; ; age += step {
		p := s.past.Age(age)
		if p == nil {
			return
		}
		if s.summary(p.Seq, s.view.Lane).Over {
			s.view.Age, s.view.Kept, s.view.Lens = age, 0, report.Lens{}
			s.follow()
			return
		}
	}
}

// SetCursor highlights a record. 0 is the first; rows out of range are clamped to the report. The highlight stays on
// that record when it moves in later frames, and on its zone in other reports.
func (s *Session) SetCursor(row int) {
	s.change()
	defer s.mu.Unlock()
	s.point(func(int) int { return row })
}

// SetCursorZone highlights the first record of a zone. Without one the highlight stays.
func (s *Session) SetCursorZone(zone report.ZoneID) {
	s.change()
	defer s.mu.Unlock()
	s.pointZone(zone)
}

// MoveCursor moves the highlight down by delta lines of the report, up if delta is negative. It stops at the ends.
func (s *Session) MoveCursor(delta int) {
	s.change()
	defer s.mu.Unlock()
	s.moveCursor(delta)
}

// point moves the cursor and clamps it to the report as it is now.
func (s *builder) point(move func(row int) int) {
	s.build(&s.last, &s.view)
	s.pointed = true
	s.setCursor(min(max(move(max(s.last.Cursor, 0)), 0), max(len(s.last.Records)-1, 0)))
}

// pointZone moves the cursor to the first record of a zone, if there is one.
func (s *builder) pointZone(zone report.ZoneID) {
	s.build(&s.last, &s.view)
	if i := slices.IndexFunc(s.last.Records, func(r report.Record) bool { return r.Zone == zone }); i >= 0 {
		s.pointed = true
		s.setCursor(i)
	}
}

// moveCursor moves the cursor down by delta lines.
func (s *builder) moveCursor(delta int) {
	s.point(func(row int) int { return s.last.Step(row, min(max(delta, -1<<30), 1<<30)) })
}

// setCursor highlights a record of s.last.
func (s *builder) setCursor(i int) {
	s.view.Cursor, s.marked, s.chosen = i, mark{}, true
	if i < len(s.last.Records) {
		s.marked = markOf(&s.last.Records[i])
	}
}

// CursorChosen reports whether the user has chosen the highlighted record. The highlight of a new session, and one that
// has gone to the zone of a verdict by itself, is not chosen. Any goroutine may call it.
func (s *Session) CursorChosen() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.chosen
}

// Select shows the call graph of the highlighted record's zone, with the cursor on its row. Without records it does
// nothing.
func (s *Session) Select() {
	s.change()
	defer s.mu.Unlock()
	s.openCursor()
}

// SelectParent shows the call graph of the caller with the largest hierarchical time. The zone is the call graph's,
// or in other reports the highlighted one. Without a caller it does nothing.
func (s *Session) SelectParent() {
	s.change()
	defer s.mu.Unlock()
	s.openParent()
}

// openCursor shows the call graph of the highlighted record's zone.
func (s *builder) openCursor() {
	s.build(&s.last, &s.view)
	if s.last.Cursor < 0 {
		return
	}
	r := &s.last.Records[s.last.Cursor]
	s.open(r.Zone, r.Depth)
}

// openParent shows the call graph of the caller with the largest hierarchical time.
func (s *builder) openParent() {
	v := s.view
	if v.Mode != report.ReportCallGraph && v.Mode != report.ReportCallGraphDescendants {
		s.build(&s.last, &s.view)
		if s.last.Cursor < 0 {
			return
		}
		r := &s.last.Records[s.last.Cursor]
		v = v.Opened(r.Zone)
		v.FocusDepth = max(r.Depth-1, 0)
	}
	s.build(&s.last, &v)
	for _, r := range slices.Backward(s.last.Records) {
		if r.Group == report.GroupParent && (r.Zone != v.Focus || v.Recursion == report.RecursionSpread) {
			s.open(r.Zone, r.Depth)
			return
		}
	}
}

// open shows a zone's call graph with the cursor on the zone.
func (s *builder) open(zone report.ZoneID, depth int) {
	v := &s.view
	*v, s.pointed = v.Opened(zone), true
	if v.Recursion == report.RecursionSpread {
		v.FocusDepth = max(depth-1, 0)
	}
	s.build(&s.last, v)
	for i, r := range s.last.Records {
		if r.Group == report.GroupFocus {
			s.setCursor(i)
		}
	}
}

// SetMuted mutes a zone in the running program, or ends that: see gather.SetMuted. It does nothing in a session that
// WriteFrame feeds, whose ids are another program's. Any goroutine may call it.
func (s *Session) SetMuted(zone gather.ZoneID, on bool) {
	s.lock()
	running := s.running()
	s.mu.Unlock()
	if running {
		gather.SetMuted(zone, on)
	}
}

// Muted reports whether SetMuted has muted a zone. Any goroutine may call it.
func (s *Session) Muted(zone gather.ZoneID) bool {
	s.lock()
	defer s.mu.Unlock()
	return s.running() && gather.Muted(zone)
}

// Arrange changes the arrangement of reports with a function. The function must not call the session. Any goroutine may
// call Arrange.
func (s *Session) Arrange(change func(a *report.Arrangement)) {
	s.adjust(func(v *report.View) { change(&v.Arrangement) })
}

// SetBudget sets the time that a zone may take in a frame, with what it calls. Rows that take longer are red in
// windows, and have the remark "over 2 ms". A time of 0 or less is no budget, as at first. A zone id that the session
// does not know is ignored. Captures and streams have it. Any goroutine may call it.
//
// For a file with the frames around a zone that takes too long, see the field Zones of capture.BlackBoxOptions.
func (s *Session) SetBudget(zone report.ZoneID, d time.Duration) {
	s.change()
	defer s.mu.Unlock()
	if zone < 0 || int(zone) >= len(s.zones) {
		return
	}
	s.zoneBudgets.set(zone, d)
	s.settings.budgets = s.zoneBudgets.list()
}

// Budget returns the time that a zone may take in a frame, 0 if any. Any goroutine may call it.
func (s *Session) Budget(zone report.ZoneID) time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.zoneBudgets.of(zone)
}

// zoneBudgets has the budgets by zone. It ends with the last zone that had one.
type zoneBudgets []time.Duration

// set sets the budget of a zone, which is known.
func (b *zoneBudgets) set(zone report.ZoneID, d time.Duration) {
	if missing := int(zone) + 1 - len(*b); missing > 0 {
		*b = append(*b, make([]time.Duration, missing)...)
	}
	(*b)[zone] = max(d, 0)
}

// list returns the budgets above 0, nil for none.
func (b zoneBudgets) list() (list []gather.ZoneBudget) {
	for zone, d := range b {
		if d > 0 {
			list = append(list, gather.ZoneBudget{Zone: report.ZoneID(zone), Budget: d})
		}
	}
	return list
}

// of returns the budget of a zone, 0 for none.
func (b zoneBudgets) of(zone report.ZoneID) time.Duration {
	if zone < 0 || int(zone) >= len(b) {
		return 0
	}
	return b[zone]
}
