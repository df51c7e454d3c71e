package process

import (
	"example.com/iprof/process/report"
)

// VerdictOf fills dst with the verdict on the frame of an age: 0 is the newest, 1 the one before it. It reports false
// if there is nothing to explain: the frame is within budget and as usual, has lost its records, or does not exist.
// Then dst has no causes, but it has the times if the frame has records. Any goroutine may call it. Cost:
// BenchmarkVerdict.
func (s *Session) VerdictOf(dst *report.Verdict, age int) bool {
	s.lock()
	defer s.mu.Unlock()
	dst.Clear()
	return s.store.Finder().Explain(dst, s.store.Past.Age(age))
}

// VerdictSince fills dst with the verdict on the worst late frame after the first frames frames (FrameInfo.Frames), or
// clears dst. It returns the current number of frames, for the next call. A log that calls it each second has a line
// for each second with a late frame. It searches at most the newest 1,024 frames. Any goroutine may call it.
func (s *Session) VerdictSince(dst *report.Verdict, frames uint64) (now uint64) {
	s.lock()
	defer s.mu.Unlock()
	dst.Clear()
	if frames > s.store.Past.Next { // Reset
		frames = 0
	}
	s.store.Finder().ExplainSince(dst, frames)
	return s.store.Past.Next
}

// VerdictOnSlowest fills dst with the verdict on the slowest frame that has one, among those of AppendSlowest. The
// first frame of a program includes its start, so it comes last. VerdictOnSlowest reports whether there is such a
// frame; if not, dst has no causes. Any goroutine may call it.
func (s *Session) VerdictOnSlowest(dst *report.Verdict) bool {
	s.lock()
	defer s.mu.Unlock()
	return s.verdictOnSlowest(dst)
}

// verdictOnSlowest is VerdictOnSlowest for callers with the lock.
func (s *Session) verdictOnSlowest(dst *report.Verdict) bool {
	slow, first := s.store.Slow.Frames, -1
	for i := range slow {
		if slow[i].Index == 0 {
			first = i
		} else if dst.Clear(); s.store.Finder().Explain(dst, &slow[i]) {
			return true
		}
	}
	dst.Clear()
	return first >= 0 && s.store.Finder().Explain(dst, &slow[first])
}

// Verdict fills dst with the verdict on the frames of the view: one frame, or the frames of a lens. For a live or
// averaged view of the newest frame it is the verdict on the last seconds: on all frames over budget if they are many,
// else on the worst late frame. The verdict on a late frame stays for three seconds. It reports whether there is
// anything to explain. Any goroutine may call it.
func (v *View) Verdict(dst *report.Verdict) bool {
	v.lock()
	defer v.unlock()
	dst.Clear()
	return v.rows.Looker.Verdict(dst, &v.rows.View)
}

// ShowVerdict fills dst with the verdict on the view. It goes to the frame of the verdict, or the slowest of several,
// and to the row of the cause's zone. In a call tree it unfolds that row. If it has to change the frame, it pauses the
// session. It reports whether there is a verdict; if not, the view stays. Any goroutine may call it.
func (v *View) ShowVerdict(dst *report.Verdict) bool {
	v.change()
	defer v.unlock()
	dst.Clear()
	if !v.rows.Looker.Verdict(dst, &v.rows.View) {
		return false
	}
	if !v.rows.View.Through() && (v.rows.View.Kept == 0 || v.rows.View.Kept != dst.Index+1) {
		v.session.frames.pause(true)
		v.rows.ShowFrame(dst.Index)
	}
	v.rows.PointAt(dst)
	return true
}
