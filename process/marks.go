package process

import (
	"fmt"
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Mark marks a moment with a text, such as "level loaded". Marks are flags on the history and on the timeline, and
// lines in the reports of their frame. In the program's own session it does the same as iprof.Mark: it waits for no
// lock of the session. In a session of other frames it marks the beginning of the newest frame, and does nothing
// without one. MostMarks marks are kept until Reset. Any goroutine may call it.
func (s *Session) Mark(text string) {
	if s == &standard {
		gather.Mark(text)
		return
	}
	s.change()
	defer s.mu.Unlock()
	if p := s.past.Age(0); p != nil {
		s.marks.Add(history.KeptMark{FrameMark: report.FrameMark{Frame: p.Index, Text: text}, Seq: p.Seq})
	}
}

// takeMarks keeps the marks of a frame.
func (s *store) takeMarks(f *gather.Frame, p *history.Frame) {
	for i := range f.Marks[:min(len(f.Marks), gather.MostMarks)] {
		m := &f.Marks[i]
		at := float64(min(max(m.Time, f.Begin), f.End)-f.Begin) * p.PerTick
		mark := report.FrameMark{Frame: p.Index, At: at, Lane: m.Lane, Text: m.Text}
		s.marks.Add(history.KeptMark{FrameMark: mark, Seq: p.Seq})
	}
}

// AppendMarks appends the marks of the frames first to last (FrameSummary.Index), oldest first. Any goroutine may call
// it.
func (s *Session) AppendMarks(dst []report.FrameMark, first, last uint64) []report.FrameMark {
	s.lock()
	defer s.mu.Unlock()
	return s.marks.Append(dst, first, last)
}

// AppendMarksSince appends the marks that the session got after a former call, and returns a number for the next call.
// Begin with 0. Marks that are forgotten meanwhile are missing. Any goroutine may call it.
func (s *Session) AppendMarksSince(dst []report.FrameMark, seen uint64) (marks []report.FrameMark, now uint64) {
	s.lock()
	defer s.mu.Unlock()
	u := &s.marks
	fresh := min(u.Count-min(seen, u.Count), uint64(len(u.List)))
	for _, m := range u.List[uint64(len(u.List))-fresh:] {
		dst = append(dst, m.FrameMark)
	}
	return dst, u.Count
}

// marksOf appends the marks of the frame that a report shows, or of the range of frames that it shows.
func (s *builder) marksOf(dst []report.FrameMark, v *report.View, i *report.FrameInfo) []report.FrameMark {
	switch l := &v.Lens; {
	case len(s.marks.List) == 0 || i.Gone || i.Frames == 0:
		return dst
	case l.Kind == report.LensRange:
		return s.marks.Append(dst, min(l.From, l.To), max(l.From, l.To))
	case v.Through():
		return dst
	}
	return s.marks.Append(dst, i.Index, i.Index)
}

// appendMarksInSight appends the marks of a part of the history, and of the frames of a timeline.
func (s *store) appendMarksInSight(dst []report.MarkInSight, part *report.Past,
	shown []timeline.Frame) []report.MarkInSight {
	to := s.past.Next - min(s.past.Next, uint64(part.Skip))
	from := to - min(to, uint64(part.Frames))
	first, last := uint64(1), uint64(0)
	if n := len(shown); n > 0 {
		first, last = shown[0].Index, shown[n-1].Index
	}
	for i := range s.marks.List {
		if m := &s.marks.List[i]; m.Seq >= from && m.Seq < to || m.Frame >= first && m.Frame <= last {
			dst = append(dst, report.MarkInSight{FrameMark: m.FrameMark, Age: int(s.past.Next - 1 - m.Seq)})
		}
	}
	return dst
}

// dumpMarks returns all marks, those of the unfinished frame included.
func (d *dumped) dumpMarks() []report.FrameMark {
	s := d.Session
	all := s.marks.Append(nil, 0, math.MaxUint64)
	if p := &s.peek; s.running() && !s.paused {
		for i := range p.Marks {
			m := &p.Marks[i]
			at := float64(max(m.Time-p.Begin, 0)) * 1000 / history.RateOf(p)
			all = append(all, report.FrameMark{Frame: p.Index, At: at, Lane: m.Lane, Text: m.Text})
		}
	}
	return all
}

// marksWarning is the warning about marks that were dropped.
func (s *builder) marksWarning(n uint64) string {
	if r := &s.rows; r.marksOf != n {
		r.marksOf = n
		r.marks = fmt.Sprintf("%d marks were dropped: a frame has at most %d", n, gather.MostMarks)
	}
	return s.rows.marks
}
