package process

import (
	"math"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// fillPast fills p with a window of the history, and the series of the zones of others. age is of the frame shown.
func (s *builder) fillPast(p *report.Past, w report.Window, zones []report.Series, age int) {
	h := &s.past
	p.Window, p.Kept = w.Clamp(h.Length(), history.MaxFrames), h.Length()
	p.Group = max((p.Frames+p.Window.Columns-1)/p.Window.Columns, 1)
	to := h.Next - min(h.Next, uint64(p.Skip))
	if p.Lane != s.view.Lane {
		p.Lane, p.Columns = s.view.Lane, p.Columns[:0]
	}
	s.coverPast(p, max(h.First(), to-min(to, uint64(p.Frames))), to)
	collectPhases(p, h, &s.states)
	p.Series, p.Shown = p.Series[:0], p.Shown[:0]
	for i := range zones {
		s.pastSeries(p, zones[i], age)
	}
}

// coverPast makes the columns of the frames from..to-1. It takes those of the last Snapshot that are the same.
func (s *store) coverPast(p *report.Past, from, to uint64) {
	h := &s.past
	p.Columns, p.Spare = p.Spare[:0], p.Columns
	old, group := p.Spare, uint64(p.Group)
	if len(old) > 0 && !(s.holds(&old[len(old)/2], p.Lane) && s.holds(&old[len(old)-1], p.Lane)) {
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
			p.Columns = append(p.Columns, s.column(at, end, p.Lane))
		}
		c := &p.Columns[len(p.Columns)-1]
		newest := int(h.Next - 1)
		c.Age, c.Oldest, c.Newest = newest-int(c.Seq), newest-int(at), newest-int(end-1)
		c.HasReport = !h.At(c.Seq).Lost
		at = end
	}
}

// holds reports whether a column's frame is still in the history.
func (s *store) holds(c *report.PastColumn, lane report.LaneID) bool {
	if c.Seq < s.past.First() || c.Seq >= s.past.Next {
		return false
	}
	f := s.summary(c.Seq, lane)
	return f.Index == c.Index && (f.Busy == c.Busy || f.Busy != f.Busy && c.Busy != c.Busy) // NaN: not known
}

// summary returns a frame with the busy time of a lane: of that which ends the frames for 0.
func (s *store) summary(seq uint64, lane report.LaneID) report.FrameSummary {
	f := s.past.At(seq).FrameSummary
	if l := &s.lane; lane != 0 && l.Of == lane {
		if f.Busy = l.Busy.At(seq); !l.Busy.Known(seq) {
			f.Busy = float32(math.NaN())
		}
		f.Over = s.over(float64(f.Busy))
		f.Others, f.OtherLanes = 0, 0 // it is alone
	}
	return f
}

// column makes the column of the frames from..to-1.
func (s *store) column(from, to uint64, lane report.LaneID) (c report.PastColumn) {
	c = report.PastColumn{FrameSummary: s.summary(from, lane), Seq: from, From: from, To: to}
	bytes, cycles, others, lanes := c.AllocBytes, c.Cycles, c.Others, c.OtherLanes
	for seq := from + 1; seq < to; seq++ {
		f := s.summary(seq, lane)
		if f.Busy > c.Busy || c.Busy != c.Busy {
			c.FrameSummary, c.Seq = f, seq
		}
		bytes, cycles = max(bytes, f.AllocBytes), cycles+f.Cycles
		if f.Others > others {
			others, lanes = f.Others, f.OtherLanes
		}
	}
	c.AllocBytes, c.Cycles, c.Others, c.OtherLanes = bytes, cycles, others, lanes
	return c
}

// pastSeries appends the series of a zone. Where the columns are frames of its own, the zone is of the same lane.
func (s *builder) pastSeries(p *report.Past, of report.Series, age int) {
	var values []float32
	if n := len(p.Series); n < cap(p.Series) {
		values = p.Series[:n+1][n].Values[:0]
	}
	h, t := &s.past, &s.past.Zones.At(int(of.Zone)).Self
	if !of.Idle || s.view.Lane != 0 {
		t = s.ownSelf(of.Zone, s.view.Lane)
	}
	birth := h.Zones.At(int(of.Zone)).Birth
	for i := range p.Columns {
		values = append(values, h.Value(t, birth, p.Columns[i].Seq))
	}
	of.Values = values
	p.Series = append(p.Series, of)
	shown := float32(math.NaN())
	if age >= 0 && uint64(age) < h.Next-h.First() {
		shown = h.Value(t, birth, h.Next-1-uint64(age))
	}
	p.Shown = append(p.Shown, shown)
}

// collectPhases fills in the collector's times of the columns.
func collectPhases(p *report.Past, h *history.Ring, states *history.States) {
	for i := range p.Columns {
		p.Columns[i].Collector = report.CollectorTime{}
	}
	if len(p.Columns) == 0 {
		return
	}
	end := h.At(p.Columns[len(p.Columns)-1].To - 1).To
	states.EachOfCollector(end, func(q *gather.LaneState) {
		first := sort.Search(len(p.Columns), func(i int) bool { return h.At(p.Columns[i].To-1).To > q.Begin })
		for i := first; i < len(p.Columns) && h.At(p.Columns[i].From).From < q.End; i++ {
			addPhase(&p.Columns[i], h, q)
		}
	})
}

// addPhase adds the part of a state that lies in the frames of a column.
func addPhase(c *report.PastColumn, h *history.Ring, q *gather.LaneState) {
	for seq := c.From; seq < c.To; seq++ {
		f := h.At(seq)
		ms := float32(float64(min(q.End, f.To)-max(q.Begin, f.From)) * f.PerTick)
		switch {
		case ms <= 0:
		case q.Kind == gather.StateMarking:
			c.Collector.Marking += ms
		case q.Kind == gather.StateAssist:
			c.Collector.Assist += ms
		default:
			c.Collector.Stopped += ms
		}
	}
}

// FrameOf fills dst with the part of a lane in a finished frame. The lane is an ID, 0 for all lanes merged, or OwnLane.
// Age 0 is the newest frame, 1 the one before it. FrameOf reports whether the frame has its records and the lane was in
// it; if not, dst is empty. It reuses dst's memory. Any goroutine may call it.
func (s *Session) FrameOf(dst *report.PastFrame, lane report.LaneID, age int) bool {
	if lane == timeline.OwnLane {
		if lane = gather.OwnLane(); lane == 0 {
			*dst = report.PastFrame{Nodes: dst.Nodes[:0]}
			return false
		}
	}
	s.lock()
	defer s.mu.Unlock()
	*dst = report.PastFrame{Nodes: dst.Nodes[:0]}
	p := s.past.Age(age)
	if p == nil || p.Lost {
		return false
	}
	v := report.View{Lane: lane, Age: age, Average: report.AverageInstant}
	s.load(&v)
	if len(s.tree.Paths) == 0 || lane != 0 && !p.Has(s.lanePlace(lane)) {
		return false
	}
	dst.FrameSummary = p.FrameSummary
	dst.HasReport = true
	dst.Nodes = s.appendBranch(dst.Nodes, 0)
	dst.Lane = report.LaneInfo{ID: lane, Name: s.laneName(lane)}
	for i := range dst.Nodes {
		if n := &dst.Nodes[i]; !n.Idle && n.Path != 0 {
			dst.Lane.Self += n.Self
		}
	}
	return true
}
