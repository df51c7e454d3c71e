package history

import (
	"slices"

	"example.com/iprof/process/report"
)

const mostMarkBytes = 1 << 20

// KeptMark is a mark and the sequence number of its frame.
type KeptMark struct {
	_ [0]func() // not comparable: the code of == would be in each program

	report.FrameMark
	Seq uint64
}

// Marks are the marks of a session, oldest first.
type Marks struct {
	List  []KeptMark
	bytes int
	Count uint64 // number of marks ever added
}

// Add adds a mark, and forgets the oldest beyond the limits.
func (u *Marks) Add(m KeptMark) {
	u.List = append(u.List, m)
	u.bytes += len(m.Text)
	u.Count++
	if len(u.List) <= report.MaxMarks+report.MaxMarks/8 && u.bytes <= mostMarkBytes {
		return
	}
	old := 0
	for len(u.List)-old > report.MaxMarks || u.bytes > mostMarkBytes/8*7 { // many at once: the rest moves
		u.bytes -= len(u.List[old].Text)
		old++
	}
	u.List = slices.Delete(u.List, 0, old)
}

// Append appends the marks of the frames from first to last.
func (u *Marks) Append(dst []report.FrameMark, first, last uint64) []report.FrameMark {
	for i := range u.List {
		if m := &u.List[i]; m.Frame >= first && m.Frame <= last {
			dst = append(dst, m.FrameMark)
		}
	}
	return dst
}
