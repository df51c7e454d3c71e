package process

import (
	"example.com/iprof/process/internal/verdict"
	"example.com/iprof/process/report"
)

// VerdictOf fills dst with the verdict on the frame of an age: 0 is the newest, 1 the one before it. It reports false
// if there is nothing to explain: the frame is within budget and as usual, has lost its records, or is not there. Then
// dst has no causes; for a frame with records it has the times. Any goroutine may call it. Cost: BenchmarkVerdict.
func (s *Session) VerdictOf(dst *report.Verdict, age int) bool {
	s.lock()
	defer s.mu.Unlock()
	dst.Clear()
	return s.finder().Explain(dst, s.past.Age(age))
}

// VerdictOfView fills dst with the verdict on the frames of a view: one frame, or the frames of a lens. For a live or
// averaged view of the newest frame it is the verdict on the last seconds: on the frames over budget if there are many,
// else on the worst late frame, which stays for three seconds. It reports whether there is anything to explain. Any
// goroutine may call it.
func (s *Session) VerdictOfView(dst *report.Verdict, v report.View) bool {
	s.lock()
	defer s.mu.Unlock()
	s.clamp(&v)
	dst.Clear()
	return s.verdict(dst, &v)
}

// verdict is VerdictOfView for a clamped view and an empty dst.
func (s *store) verdict(dst *report.Verdict, v *report.View) bool {
	switch {
	case v.Through():
		return s.explainLens(dst, v)
	case v.Age == 0 && v.Kept == 0 && (!s.paused || s.smooth(v)):
		return s.finder().ExplainNow(dst)
	}
	return s.finder().Explain(dst, s.shown(v))
}

// VerdictSince fills dst with the verdict on the worst late frame since a number of frames (FrameInfo.Frames), or
// empties it. It returns the number of frames now, for the next call. A log that calls it each second has a line for
// each second with a late frame. It looks at no more than the newest 1,024 frames. Any goroutine may call it.
func (s *Session) VerdictSince(dst *report.Verdict, frames uint64) (now uint64) {
	s.lock()
	defer s.mu.Unlock()
	dst.Clear()
	if frames > s.past.Next { // Reset
		frames = 0
	}
	s.finder().ExplainSince(dst, frames)
	return s.past.Next
}

// finder returns what finds causes, with the measurements as they are now.
func (s *store) finder() *verdict.Finder {
	s.causes.Stores = verdict.Stores{Past: &s.past, Tree: &s.tree, Lanes: &s.lanes, States: &s.states,
		Zones: s.zones, Budget: s.budget.Seconds() * 1000, Gen: s.gen}
	return &s.causes
}

// explainLens fills in the verdict on the frames of the lens of a view.
func (s *store) explainLens(dst *report.Verdict, v *report.View) bool {
	l, lens := &s.lens, v.LensInForce()
	if !l.Made || l.Of != lens || l.Gen != s.gen {
		s.loadLens(v)
	}
	return s.finder().ExplainMany(dst, lens, l.Frames)
}

// ShowVerdict fills dst with the verdict on the view and goes to its frame, the slowest of several, and to the row of
// the zone of the cause. In a call tree it unfolds that row. It pauses the session to show another frame than the view
// does. It reports whether there is a verdict; if not, the view stays. Any goroutine may call it.
func (s *Session) ShowVerdict(dst *report.Verdict) bool {
	s.change()
	defer s.mu.Unlock()
	dst.Clear()
	if !s.verdict(dst, &s.view) {
		return false
	}
	if !s.view.Through() && (s.view.Kept == 0 || s.view.Kept != dst.Index+1) {
		s.pause(true)
		s.showFrame(dst.Index)
	}
	s.pointAt(dst)
	return true
}

// look changes the frame shown, and calls follow.
func (s *Session) look(change func(v *report.View)) {
	s.change()
	defer s.mu.Unlock()
	change(&s.view)
	s.clamp(&s.view)
	s.follow()
}

// follow puts the cursor on the zone that the verdict on the frames shown names. The cursor stays in the views of one
// zone, which are call graphs and pinned paths, and in the live view of the newest frame.
func (s *builder) follow() {
	v, fresh := &s.view, &s.followed
	graph := v.Mode == report.ReportCallGraph || v.Mode == report.ReportCallGraphDescendants
	fresh.Clear()
	switch {
	case graph || len(v.Pin) > 0:
		return
	case v.Through():
		s.explainLens(fresh, v)
	case v.Age > 0 || v.Kept > 0 || s.paused:
		s.finder().Explain(fresh, s.shown(v))
	}
	if fresh.Found() {
		s.pointAt(fresh)
	}
}

// openExtra puts the cursor on the answer of ReportExtra: the zone of the cause, or else the first row.
func (s *builder) openExtra() {
	s.view.Cursor, s.pointed, s.marked, s.chosen = 0, true, mark{}, false
	s.follow()
}

// pointAt puts the cursor on the row of the zone of a verdict's cause.
func (s *builder) pointAt(v *report.Verdict) {
	c := v.Target()
	s.pointed, s.chosen = true, false
	s.marked = mark{set: true, zone: c.Zone, path: c.Path, depth: 1, group: report.GroupFocus}
	if s.view.Mode == report.ReportCallTree {
		s.unfold(c.Path)
	}
}

// unfold unfolds all paths above a path in the tree.
func (s *builder) unfold(path int32) {
	if s.folded == nil {
		s.folded = make(map[int32]bool)
	}
	for up := s.tree.Paths[path].Parent; up > 0; up = s.tree.Paths[up].Parent {
		if indent := s.tree.Paths[up].Level - 1; !s.unfolded(up, indent) {
			s.folded[up] = !s.folded[up]
		}
	}
}
