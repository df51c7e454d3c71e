package store

import (
	"math"

	"example.com/iprof/process/report"
)

// CoverPast makes the columns of the frames from..to-1. It reuses columns of the last Snapshot that are the same.
func (k *Looker) CoverPast(p *report.Past, from, to uint64) {
	h := &k.store.Past
	p.Columns, p.Spare = p.Spare[:0], p.Columns
	old, group := p.Spare, uint64(p.Group)
	if len(old) > 0 && !(k.holds(&old[len(old)/2], p.Lane) && k.holds(&old[len(old)-1], p.Lane)) {
		old = old[:0] // the session was reset
	}
	for at := from; at < to; {
		end := min((at/group+1)*group, to)
		for len(old) > 0 && old[0].From < at {
			old = old[1:]
		}
		if group > 1 && len(old) > 0 && old[0].From == at && old[0].To == end {
			p.Columns = append(p.Columns, old[0])
		} else {
			p.Columns = append(p.Columns, k.column(at, end, p.Lane))
		}
		c := &p.Columns[len(p.Columns)-1]
		newest := int(h.Next - 1)
		c.Age, c.Oldest, c.Newest = newest-int(c.Seq), newest-int(at), newest-int(end-1)
		c.HasReport = !h.At(c.Seq).Lost
		at = end
	}
}

// holds reports whether a column's frame is still in the history.
func (k *Looker) holds(c *report.PastColumn, lane report.LaneID) bool {
	if h := &k.store.Past; c.Seq < h.First() || c.Seq >= h.Next {
		return false
	}
	f := k.Summary(c.Seq, lane)
	return f.Index == c.Index && (f.Busy == c.Busy || f.Busy != f.Busy && c.Busy != c.Busy) // NaN means not known
}

// Summary returns a frame with the busy time of a lane. Lane 0 means the lane that ends the frames.
func (k *Looker) Summary(seq uint64, lane report.LaneID) report.FrameSummary {
	s := k.store
	f := s.Past.At(seq).FrameSummary
	if l := &k.Lane; lane != 0 && l.Of == lane {
		if f.Busy = l.Busy.At(seq); !l.Busy.Known(seq) {
			f.Busy = float32(math.NaN())
		}
		if s.Past.At(seq).UpdatedBy(&s.Lanes) != lane {
			f.Blocked = 0
		}
		f.Over = s.Over(float64(f.Judged()))
		f.Others, f.OtherLanes = 0, 0 // only this lane counts
	}
	return f
}

// column makes the column of the frames from..to-1.
func (k *Looker) column(from, to uint64, lane report.LaneID) (c report.PastColumn) {
	h := &k.store.Past
	c = report.PastColumn{FrameSummary: k.Summary(from, lane), Seq: from, From: from, To: to,
		Begin: h.At(from).At, End: h.At(to - 1).End()}
	bytes := c.AllocBytes
	cycles := c.Cycles
	others := c.Others
	lanes := c.OtherLanes
	for seq := from + 1; seq < to; seq++ {
		f := k.Summary(seq, lane)
		if f.Judged() > c.Judged() || c.Busy != c.Busy {
			c.FrameSummary, c.Seq = f, seq
		}
		bytes, cycles = max(bytes, f.AllocBytes), cycles+f.Cycles
		if f.Others > others {
			others, lanes = f.Others, f.OtherLanes
		}
	}
	c.AllocBytes = bytes
	c.Cycles = cycles
	c.Others = others
	c.OtherLanes = lanes
	return c
}
