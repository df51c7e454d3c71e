package process

// Target returns the cause to show to a reader: the main one, or its largest part if that is spread over many zones.
func (v *Verdict) Target() Cause {
	if len(v.Causes) > 1 && v.Causes[0].Kind == CauseSpread {
		return v.Causes[1]
	}
	return v.Cause()
}

// ShowVerdict fills dst with the verdict on the view and goes to its frame, the slowest of several, and to the row of
// the zone to blame. In a call tree it unfolds that row. It pauses the session to show another frame than the view
// does. It reports whether there is a verdict; if not, the view stays. Any goroutine may call it.
func (s *Session) ShowVerdict(dst *Verdict) bool {
	s.change()
	defer s.mu.Unlock()
	dst.empty()
	if !s.verdict(dst, &s.view) {
		return false
	}
	if !s.view.through() && (s.view.Kept == 0 || s.view.Kept != dst.Index+1) {
		s.pause(true)
		s.showFrame(dst.Index)
	}
	s.pointAt(dst)
	return true
}

// look changes the frame shown, and calls follow.
func (s *Session) look(change func(v *View)) {
	s.change()
	defer s.mu.Unlock()
	change(&s.view)
	s.clamp(&s.view)
	s.follow()
}

// follow puts the cursor on the zone that the verdict on the frames shown blames. The cursor stays in the views of one
// zone, which are call graphs and pinned paths, and in the live view of the newest frame.
func (s *Session) follow() {
	v, fresh := &s.view, &s.trial.now.fresh
	graph := v.Mode == ReportCallGraph || v.Mode == ReportCallGraphDescendants
	fresh.empty()
	switch {
	case graph || len(v.Pin) > 0:
		return
	case v.through():
		s.explainLens(fresh, v)
	case v.Age > 0 || v.Kept > 0 || s.paused:
		s.explain(fresh, s.shown(v))
	}
	if fresh.Found() {
		s.pointAt(fresh)
	}
}

// openExtra puts the cursor on the answer of ReportExtra: the zone to blame, or else the first row.
func (s *Session) openExtra() {
	s.view.Cursor, s.pointed, s.marked, s.chosen = 0, true, mark{}, false
	s.follow()
}

// pointAt puts the cursor on the row of the zone that a verdict blames.
func (s *Session) pointAt(v *Verdict) {
	c := v.Target()
	s.pointed, s.chosen = true, false
	s.marked = mark{set: true, zone: c.Zone, path: c.Path, depth: 1, group: GroupFocus}
	if s.view.Mode == ReportCallTree {
		s.unfold(c.Path)
	}
}

// unfold unfolds all paths above a path in the tree.
func (s *Session) unfold(path int32) {
	if s.folded == nil {
		s.folded = make(map[int32]bool)
	}
	for up := s.tree.paths[path].parent; up > 0; up = s.tree.paths[up].parent {
		if indent := s.tree.paths[up].level - 1; !s.unfolded(up, indent) {
			s.folded[up] = !s.folded[up]
		}
	}
}
