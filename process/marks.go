package process

import (
	"math"

	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Mark marks a moment with a text, such as "level loaded". Marks are flags on the history and on the timeline, and
// lines in the reports of their frame. In the program's own session it does the same as iprof.Mark, and never waits for
// the session's lock. In other sessions it marks the beginning of the newest frame, or does nothing without a frame.
// MaxMarks marks are kept until Reset. Any goroutine may call it.
func (s *Session) Mark(text string) {
	if isOurs(s) {
		measure.Mark(text)
		return
	}
	s.change()
	defer s.mu.Unlock()
	if p := s.store.Past.Age(0); p != nil {
		s.store.Marks.Add(history.KeptMark{FrameMark: report.FrameMark{Frame: p.Index, Text: text}, Seq: p.Seq})
	}
}

// AppendMarks appends the marks of the frames first to last (FrameSummary.Index), oldest first. Any goroutine may call
// it.
func (s *Session) AppendMarks(dst []report.FrameMark, first, last uint64) []report.FrameMark {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Marks.Append(dst, first, last)
}

// AppendMarksSince appends the marks that are newer than seen, and returns the value of seen for the next call. Begin
// with 0. Marks that the session has forgotten meanwhile are missing. Any goroutine may call it.
func (s *Session) AppendMarksSince(dst []report.FrameMark, seen uint64) (marks []report.FrameMark, now uint64) {
	s.lock()
	defer s.mu.Unlock()
	u := &s.store.Marks
	fresh := min(u.Count-min(seen, u.Count), uint64(len(u.List)))
	for _, m := range u.List[uint64(len(u.List))-fresh:] {
		dst = append(dst, m.FrameMark)
	}
	return dst, u.Count
}

// dumpSections returns the sections of the run.
func (d *dumped) dumpSections() []report.Section {
	return d.view.store.Overview.AppendSections(nil)
}

// dumpMarks returns all marks, also those of the unfinished frames.
func (d *dumped) dumpMarks() []report.FrameMark {
	s := d.session
	all := s.store.Marks.Append(nil, 0, math.MaxUint64)
	for _, p := range s.sums.unfinished() {
		for i := range p.Marks {
			m := &p.Marks[i]
			at := float64(max(m.Time-p.Begin, 0)) * 1000 / history.RateOf(p)
			all = append(all, report.FrameMark{Frame: p.Index, At: at, Lane: m.Lane, Text: m.Text})
		}
	}
	return all
}
