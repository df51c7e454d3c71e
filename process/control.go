package process

import "slices"

// View returns what is looked at.
func (s *Session) View() View {
	s.lock()
	defer s.mu.Unlock()
	return s.view
}

// SetView looks at something else. Values out of range are clamped.
func (s *Session) SetView(v View) {
	v.Pin = slices.Clone(v.Pin)
	s.adjust(func(view *View) { *view, s.pointed, s.marked = v, true, mark{} })
}

// adjust changes the view and clamps it.
func (s *Session) adjust(change func(v *View)) {
	s.change()
	defer s.mu.Unlock()
	change(&s.view)
	s.clamp(&s.view)
}

// clamp brings a view's values into range.
func (s *Session) clamp(v *View) {
	v.Mode = min(v.Mode, NumReportModes-1)
	v.Average = min(v.Average, Instant)
	v.Recursion = min(v.Recursion, Spread)
	v.Age = min(max(v.Age, 0), max(s.past.length()-1, 0))
	v.Cursor = max(v.Cursor, 0)
	v.FocusDepth = max(v.FocusDepth, 0)
	v.Columns &= AllColumns
	v.Lens.clamp()
}

// SetReportMode chooses the report.
func (s *Session) SetReportMode(m ReportMode) { s.adjust(func(v *View) { v.Mode = m }) }

// SetAverage chooses how the newest frame's values are smoothed.
func (s *Session) SetAverage(a Average) { s.adjust(func(v *View) { v.Average = a }) }

// SetRecursion chooses how recursive zones are shown.
func (s *Session) SetRecursion(r Recursion) { s.adjust(func(v *View) { v.Recursion = r }) }

// SetLane shows one lane, 0 all merged. A lane that is not known shows nothing until it appears.
func (s *Session) SetLane(id uint64) { s.adjust(func(v *View) { v.Lane = id }) }

// PinPath makes every row count only what happened below a path: stacks that have these zones, in this order, outermost
// first; others may lie between. No zones: everything counts again.
func (s *Session) PinPath(zones ...int32) {
	pin := slices.Clone(zones)
	s.adjust(func(v *View) { v.Pin = pin })
}

// SetFrame shows the frame of an age; 0 is the newest. It is clamped to the history.
func (s *Session) SetFrame(age int) {
	s.adjust(func(v *View) { v.Age, v.Kept, v.Lens = age, 0, Lens{} })
}

// MoveFrame moves through the history: -1 is one frame older.
func (s *Session) MoveFrame(delta int) {
	delta = min(max(delta, -maxFrames), maxFrames)
	s.adjust(func(v *View) { v.Age, v.Kept, v.Lens = v.Age-delta, 0, Lens{} })
}

// MoveToOverBudget goes to the next older (dir < 0) or newer frame that was over budget. Without one the view stays.
func (s *Session) MoveToOverBudget(dir int) {
	s.change()
	defer s.mu.Unlock()
	step := 1
	if dir > 0 {
		step = -1
	}
	for age := s.view.Age + step; ; age += step {
		p := s.past.age(age)
		if p == nil {
			return
		}
		if p.Over {
			s.view.Age, s.view.Kept, s.view.Lens = age, 0, Lens{}
			return
		}
	}
}

// SetCursor highlights a record; 0 is the first. It is clamped to the report. What is highlighted is the record, wherever it goes in
// the frames that come, and its zone in other reports.
func (s *Session) SetCursor(row int) { s.point(func(int) int { return row }) }

// MoveCursor moves the highlighted record down by delta rows.
func (s *Session) MoveCursor(delta int) {
	s.point(func(row int) int { return row + min(max(delta, -1<<30), 1<<30) })
}

// point moves the cursor and clamps it to the report as it is now.
func (s *Session) point(move func(row int) int) {
	s.change()
	defer s.mu.Unlock()
	s.build(&s.last, &s.view)
	s.pointed = true
	s.setCursor(min(max(move(max(s.last.Cursor, 0)), 0), max(len(s.last.Records)-1, 0)))
}

// setCursor highlights a record of s.last.
func (s *Session) setCursor(i int) {
	s.view.Cursor, s.marked = i, mark{}
	if i < len(s.last.Records) {
		s.marked = markOf(&s.last.Records[i])
	}
}

// Select opens the highlighted record's zone in the call graph and puts the cursor on its row.
func (s *Session) Select() {
	s.change()
	defer s.mu.Unlock()
	s.build(&s.last, &s.view)
	if s.last.Cursor < 0 {
		return
	}
	r := &s.last.Records[s.last.Cursor]
	s.open(r.Zone, r.Depth)
}

// SelectParent opens the parent with the largest hierarchical time of the zone in question: the call graph's, or the
// highlighted one's in other reports.
func (s *Session) SelectParent() {
	s.change()
	defer s.mu.Unlock()
	v := s.view
	if v.Mode != CallGraph && v.Mode != CallGraphDescendants {
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
		if r.Group == GroupParent && (r.Zone != v.Focus || v.Recursion == Spread) {
			s.open(r.Zone, r.Depth)
			return
		}
	}
}

// open shows a zone's call graph with the cursor on the zone.
func (s *Session) open(zone int32, depth int) {
	v := &s.view
	*v, s.pointed = v.Opened(zone), true
	if v.Recursion == Spread {
		v.FocusDepth = max(depth-1, 0)
	}
	s.build(&s.last, v)
	for i, r := range s.last.Records {
		if r.Group == GroupFocus {
			s.setCursor(i)
		}
	}
}
