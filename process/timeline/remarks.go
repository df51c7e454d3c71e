package timeline

import (
	"cmp"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Speak makes the reader add remarks to scopes from now on. Programs without timelines do not link the code.
func (r *Reader) Speak() *Reader {
	r.speak = giveRemarks
	return r
}

// giveRemarks adds the remarks to the scopes of a lane in a frame, which are in the order of their begins.
func giveRemarks(f *history.Frame, scopes []Scope, lane report.LaneID) {
	if f.Remarks == nil {
		return
	}
	open, at := make([]*Scope, 0, 64), 0
	for i := range *f.Remarks {
		m := &(*f.Remarks)[i]
		if m.Lane != lane || m.Level < 0 || m.Time > f.To {
			continue
		}
		ms := float64(m.Time-f.From) * f.PerTick
		for ; at < len(scopes) && scopes[at].Begin <= ms; at++ {
			level := int(scopes[at].Level)
			for len(open) <= level {
				open = append(open, nil)
			}
			open[level] = &scopes[at]
		}
		if int(m.Level) < len(open) {
			if s := open[m.Level]; s != nil && s.Zone == m.Zone && s.Begin <= ms && s.End >= ms {
				say(s, m)
			}
		}
	}
}

func say(s *Scope, m *gather.Remark) {
	if s.Remark == nil {
		s.Remark = new(report.Remark)
	}
	s.Remark.Join(m.Text, m.Value, m.Valued)
}

// joined joins the remark on a scope with the remark on it in the next frame. It may change the first.
func joined(said, later *report.Remark) *report.Remark {
	if said == nil || later == nil {
		return cmp.Or(said, later)
	}
	said.Join(later.Text, later.Value, later.Valued)
	return said
}

// rowRemark is the remark on a scope of a row.
type rowRemark struct {
	at int // index of Row.At
	*report.Remark
}

// Remark returns the program's remark on the scope with an index of At, or nil.
func (r *Row) Remark(i int) *report.Remark {
	at := sort.Search(len(r.remarks), func(k int) bool { return r.remarks[k].at >= i })
	if at == len(r.remarks) || r.remarks[at].at != i {
		return nil
	}
	return r.remarks[at].Remark
}

// say adds a remark to the last scope of the row.
func (r *Row) say(m *report.Remark) {
	last := len(r.At) - 1
	if n := len(r.remarks); n > 0 && r.remarks[n-1].at == last {
		joined(r.remarks[n-1].Remark, m)
		return
	}
	r.remarks = append(r.remarks, rowRemark{last, m})
}

// dropRemarks drops the remarks on the first scopes. If moved is set, the other scopes have moved to the front.
func (r *Row) dropRemarks(before int, moved bool) {
	n := sort.Search(len(r.remarks), func(k int) bool { return r.remarks[k].at >= before })
	rest := copy(r.remarks, r.remarks[n:])
	clear(r.remarks[rest:])
	r.remarks = r.remarks[:rest]
	for i := range r.remarks {
		if moved {
			r.remarks[i].at -= before
		}
	}
}
