package history

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// sections are the sections of the run, oldest first. The zero value has none.
type sections struct {
	list    []*section
	dropped uint64
	bytes   int // of the times of all
}

// section is a section, and the times of its frames.
type section struct {
	report.Section
	times sketch
	known uint64 // the number of frames that Mean and P99 are of
}

// take adds a frame to its section, which is the last or a new one.
func (u *sections) take(p *Frame, of *gather.SectionInfo) {
	if of.Number == 0 {
		return
	}
	n := len(u.list)
	if n == 0 || u.list[n-1].Number != of.Number {
		u.add(&section{Section: report.Section{Number: of.Number, Name: of.Name, First: p.Seq, From: p.Index}})
		n = len(u.list)
	}
	s, ms := u.list[n-1], p.JudgedMS()
	if s.Last, s.To = p.Seq, p.Index; ms > s.Worst || s.Frames == 0 {
		s.Worst, s.WorstFrame = ms, p.Index
	}
	if s.Frames++; ms > 0 {
		s.times.add(ms, &u.bytes)
	}
}

// add adds a section. Beyond the limit the oldest is dropped.
func (u *sections) add(s *section) {
	if len(u.list) == report.MostSections {
		u.bytes -= len(u.list[0].times.counts) * countBytes
		u.list = u.list[:copy(u.list, u.list[1:])]
		u.dropped++
	}
	u.list = append(u.list, s)
}

// fill copies the sections.
func (u *sections) fill(dst *report.Overview) {
	dst.Sections, dst.SectionsDropped = dst.Sections[:0], u.dropped
	for _, s := range u.list {
		if s.known != s.Frames {
			s.Mean, s.P99 = s.times.of(report.StatMean, s.Frames), s.times.of(report.StatP99, s.Frames)
			s.known = s.Frames
		}
		dst.Sections = append(dst.Sections, s.Section)
	}
}
