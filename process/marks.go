package process

import (
	"fmt"
	"math"
	"slices"

	"example.com/iprof/gather"
)

const mostMarkBytes = 1 << 20

// keptMark is a mark and the sequence number of its frame.
type keptMark struct {
	FrameMark
	seq uint64
}

// userMarks are the marks of a session, oldest first.
type userMarks struct {
	list  []keptMark
	bytes int
	count uint64 // ever added
}

// add adds a mark, and forgets the oldest beyond the limits.
func (u *userMarks) add(m keptMark) {
	u.list = append(u.list, m)
	u.bytes += len(m.Text)
	u.count++
	if len(u.list) <= MostMarks+MostMarks/8 && u.bytes <= mostMarkBytes {
		return
	}
	old := 0
	for len(u.list)-old > MostMarks || u.bytes > mostMarkBytes/8*7 { // many at once: the others move
		u.bytes -= len(u.list[old].Text)
		old++
	}
	u.list = slices.Delete(u.list, 0, old)
}

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
	if p := s.past.age(0); p != nil {
		s.marks.add(keptMark{FrameMark{Frame: p.Index, Text: text}, p.seq})
	}
}

// takeMarks keeps the marks of a frame.
func (s *Session) takeMarks(f *gather.Frame, p *pastFrame) {
	for i := range f.Marks[:min(len(f.Marks), gather.MostMarks)] {
		m := &f.Marks[i]
		at := float64(min(max(m.Time, f.Begin), f.End)-f.Begin) * p.perTick
		s.marks.add(keptMark{FrameMark{Frame: p.Index, At: at, Lane: m.Lane, Text: m.Text}, p.seq})
	}
}

// AppendMarks appends the marks of the frames first to last (FrameSummary.Index), oldest first. Any goroutine may call
// it.
func (s *Session) AppendMarks(dst []FrameMark, first, last uint64) []FrameMark {
	s.lock()
	defer s.mu.Unlock()
	return s.marks.append(dst, first, last)
}

// AppendMarksSince appends the marks that the session got after a former call, and returns a number for the next call.
// Begin with 0. Marks that are forgotten meanwhile are missing. Any goroutine may call it.
func (s *Session) AppendMarksSince(dst []FrameMark, seen uint64) (marks []FrameMark, now uint64) {
	s.lock()
	defer s.mu.Unlock()
	u := &s.marks
	fresh := min(u.count-min(seen, u.count), uint64(len(u.list)))
	for _, m := range u.list[uint64(len(u.list))-fresh:] {
		dst = append(dst, m.FrameMark)
	}
	return dst, u.count
}

func (u *userMarks) append(dst []FrameMark, first, last uint64) []FrameMark {
	for i := range u.list {
		if m := &u.list[i]; m.Frame >= first && m.Frame <= last {
			dst = append(dst, m.FrameMark)
		}
	}
	return dst
}

// marksOf appends the marks of the frame that a report shows, or of the range of frames that it shows.
func (s *Session) marksOf(dst []FrameMark, v *View, i *FrameInfo) []FrameMark {
	switch l := &v.Lens; {
	case len(s.marks.list) == 0 || i.Gone || i.Frames == 0:
		return dst
	case l.Kind == LensRange:
		return s.marks.append(dst, min(l.From, l.To), max(l.From, l.To))
	case v.Through():
		return dst
	}
	return s.marks.append(dst, i.Index, i.Index)
}

// snapshotMarks fills dst.Marks with the marks in sight: of the part of the history, and of the timeline.
func (s *Session) snapshotMarks(dst *Snapshot, o SnapshotOptions) {
	dst.Marks = dst.Marks[:0]
	to := s.past.next - min(s.past.next, uint64(dst.Past.Skip))
	from := to - min(to, uint64(dst.Past.Frames))
	first, last := uint64(1), uint64(0)
	if n := len(dst.Timeline.Frames); o.Timeline && n > 0 {
		first, last = dst.Timeline.Frames[0].Index, dst.Timeline.Frames[n-1].Index
	}
	for i := range s.marks.list {
		if m := &s.marks.list[i]; m.seq >= from && m.seq < to || m.Frame >= first && m.Frame <= last {
			dst.Marks = append(dst.Marks, MarkInSight{FrameMark: m.FrameMark, Age: int(s.past.next - 1 - m.seq)})
		}
	}
}

// dumpMarks returns all marks, those of the unfinished frame included.
func (d *dumped) dumpMarks() []FrameMark {
	s := d.Session
	all := s.marks.append(nil, 0, math.MaxUint64)
	if p := &s.peek; s.running() && !s.paused {
		for i := range p.Marks {
			m := &p.Marks[i]
			at := float64(max(m.Time-p.Begin, 0)) * 1000 / rateOf(p)
			all = append(all, FrameMark{Frame: p.Index, At: at, Lane: m.Lane, Text: m.Text})
		}
	}
	return all
}

// marksWarning is the warning about marks that were dropped.
func (s *Session) marksWarning(n uint64) string {
	if r := &s.rows; r.marksOf != n {
		r.marksOf = n
		r.marks = fmt.Sprintf("%d marks were dropped: a frame has at most %d", n, gather.MostMarks)
	}
	return s.rows.marks
}
