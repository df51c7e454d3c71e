package process

import (
	"example.com/iprof/process/report"
)

// VerdictOf fills dst with the verdict on the frame of an age: 0 is the newest, 1 the one before it. It reports false
// if there is nothing to explain: the frame is within budget and as usual, has lost its records, or is not there. Then
// dst has no causes; for a frame with records it has the times. Any goroutine may call it. Cost: BenchmarkVerdict.
func (s *Session) VerdictOf(dst *report.Verdict, age int) bool {
	s.lock()
	defer s.mu.Unlock()
	dst.Clear()
	return s.data.Finder().Explain(dst, s.data.Past.Age(age))
}

// VerdictOfView fills dst with the verdict on the frames of a view: one frame, or the frames of a lens. For a live or
// averaged view of the newest frame it is the verdict on the last seconds: on the frames over budget if there are many,
// else on the worst late frame, which stays for three seconds. It reports whether there is anything to explain. Any
// goroutine may call it.
func (s *Session) VerdictOfView(dst *report.Verdict, v report.View) bool {
	s.lock()
	defer s.mu.Unlock()
	s.data.Clamp(&v)
	dst.Clear()
	return s.data.Verdict(dst, &v)
}

// VerdictSince fills dst with the verdict on the worst late frame since a number of frames (FrameInfo.Frames), or
// empties it. It returns the number of frames now, for the next call. A log that calls it each second has a line for
// each second with a late frame. It looks at no more than the newest 1,024 frames. Any goroutine may call it.
func (s *Session) VerdictSince(dst *report.Verdict, frames uint64) (now uint64) {
	s.lock()
	defer s.mu.Unlock()
	dst.Clear()
	if frames > s.data.Past.Next { // Reset
		frames = 0
	}
	s.data.Finder().ExplainSince(dst, frames)
	return s.data.Past.Next
}

// ShowVerdict fills dst with the verdict on the view and goes to its frame, the slowest of several, and to the row of
// the zone of the cause. In a call tree it unfolds that row. It pauses the session to show another frame than the view
// does. It reports whether there is a verdict; if not, the view stays. Any goroutine may call it.
func (s *Session) ShowVerdict(dst *report.Verdict) bool {
	s.change()
	defer s.mu.Unlock()
	dst.Clear()
	if !s.data.Verdict(dst, &s.data.View) {
		return false
	}
	if !s.data.View.Through() && (s.data.View.Kept == 0 || s.data.View.Kept != dst.Index+1) {
		s.data.pause(true)
		s.data.ShowFrame(dst.Index)
	}
	s.data.PointAt(dst)
	return true
}

// look changes the frame shown, and calls follow.
func (s *Session) look(change func(v *report.View)) {
	s.change()
	defer s.mu.Unlock()
	change(&s.data.View)
	s.data.reach(&s.data.View)
	s.data.Clamp(&s.data.View)
	s.data.Follow()
}
