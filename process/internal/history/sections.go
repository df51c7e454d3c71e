package history

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// sections has the sections of the run, oldest first. The zero value has none.
type sections struct {
	list    []*section
	dropped uint64
}

// section is a section with the times of its frames, which take at most 10 kB.
type section struct {
	number, first, last, from, to uint64
	frames, worst                 uint64
	name                          string
	times                         sketch
	mean, p99                     float64
	known                         uint64 // number of frames in mean and p99
}

// take adds a frame to its section, which is the last section or a new one.
func (u *sections) take(p *Frame, of *gather.SectionInfo) {
	if of.Number == 0 {
		return
	}
	at := len(u.list) - 1
	if at < 0 || u.list[at].number != of.Number {
		if at++; at == report.MaxSections {
			u.list = u.list[:copy(u.list, u.list[1:])]
			u.dropped++
			at--
		}
		u.list = append(u.list, &section{number: of.Number, name: of.Name, first: p.Seq, from: p.Index, worst: p.Index})
	}
	s, ms := u.list[at], p.JudgedMS()
	s.last, s.to = p.Seq, p.Index
	if s.frames++; ms > 0 {
		if ms > s.times.max {
			s.worst = p.Index
		}
		s.times.add(ms, nil)
	}
}

// AppendSections appends the sections, oldest first.
func (o *Overview) AppendSections(dst []report.Section) []report.Section {
	for _, s := range o.sections.list {
		if s.known != s.frames {
			s.mean, s.p99 = s.times.of(StatMean, s.frames), s.times.of(StatP99, s.frames)
			s.known = s.frames
		}
		dst = append(dst, report.Section{Number: s.number, Name: s.name, First: s.first, Last: s.last, From: s.from,
			To: s.to, Frames: s.frames, Mean: s.mean, P99: s.p99, Worst: s.times.max, WorstFrame: s.worst})
	}
	return dst
}
