package process

import "math"

// Window chooses a part of the history for Snapshot.Past. The zero Window has no frames.
type Window struct {
	Frames  int // number of frames
	Skip    int // number of newer frames to leave out
	Columns int // greatest number of columns, apart from those cut at the ends; below 1 it is Frames
}

// Past is a part of the history in columns. Where there are more frames than columns, a column stands for several
// frames in a row, and shows the one with the most busy time. So no spike is lost. The borders of columns depend on the
// frames alone, so a column keeps its frames as time goes on.
type Past struct {
	Window               // within the frames that are kept
	Kept    int          // frames in the whole history
	Group   int          // frames in a column; the first and the last column may have fewer
	Columns []PastColumn // oldest first
	Series  []Series     // of the zones of Snapshot.Series: a value for each column, NaN where it is not known
	Shown   []float32    // by series: its value in the frame of the view's age, ms; NaN if it is not known
	Lane    LaneID       // Busy and Over of the columns are of this lane; 0: of the lane that ends the frames

	before []PastColumn // of the last Snapshot
}

// PastColumn is a column of Past. With Past.Lane, Busy is NaN where the records were lost before the lane was viewed.
type PastColumn struct {
	FrameSummary     // of the busiest frame; but AllocBytes and Others are the greatest, Cycles the sum of all frames
	Age          int // of the busiest frame
	Oldest       int // age of the first frame
	Newest       int // age of the last frame
	Collector    CollectorTime

	seq, from, to uint64
}

// At returns the index of the column that an age is in, or -1.
func (p *Past) At(age int) int {
	if len(p.Columns) == 0 || age > p.Columns[0].Oldest || age < p.Columns[len(p.Columns)-1].Newest {
		return -1
	}
	low, high := 0, len(p.Columns)-1
	for low < high {
		if mid := (low + high) / 2; age < p.Columns[mid].Newest {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// clamp brings a window into a history.
func (w Window) clamp(kept int) Window {
	w.Frames = min(max(w.Frames, 0), maxFrames)
	w.Skip = min(max(w.Skip, 0), max(kept-w.Frames, 0))
	if w.Columns < 1 {
		w.Columns = max(w.Frames, 1)
	}
	return w
}

// snapshotPast fills dst.Past, with the zones of dst.Series.
func (s *Session) snapshotPast(dst *Snapshot, w Window) {
	p, h := &dst.Past, &s.past
	p.Window, p.Kept = w.clamp(h.length()), h.length()
	p.Group = max((p.Frames+p.Window.Columns-1)/p.Window.Columns, 1)
	to := h.next - min(h.next, uint64(p.Skip))
	if p.Lane != s.view.Lane {
		p.Lane, p.Columns = s.view.Lane, p.Columns[:0]
	}
	p.cover(s, max(h.first(), to-min(to, uint64(p.Frames))), to)
	p.collect(h, &s.states)
	p.Series, p.Shown = p.Series[:0], p.Shown[:0]
	for i := range dst.Series {
		s.pastSeries(p, dst.Series[i], dst.Report.Frame.Age)
	}
}

// cover makes the columns of the frames from..to-1. It takes those of the last Snapshot that are the same.
func (p *Past) cover(s *Session, from, to uint64) {
	h := &s.past
	p.Columns, p.before = p.before[:0], p.Columns
	old, group := p.before, uint64(p.Group)
	if len(old) > 0 && !(s.holds(&old[len(old)/2]) && s.holds(&old[len(old)-1])) {
		old = old[:0] // the session was reset
	}
	for at := from; at < to; {
		end := min((at/group+1)*group, to)
		for len(old) > 0 && old[0].from < at {
			old = old[1:]
		}
		if group > 1 && len(old) > 0 && old[0].from == at && old[0].to == end {
			p.Columns = append(p.Columns, old[0])
		} else {
			p.Columns = append(p.Columns, s.column(at, end))
		}
		c := &p.Columns[len(p.Columns)-1]
		newest := int(h.next - 1)
		c.Age, c.Oldest, c.Newest = newest-int(c.seq), newest-int(at), newest-int(end-1)
		c.HasReport = !h.at(c.seq).lost
		at = end
	}
}

// holds reports whether a column's frame is still in the history.
func (s *Session) holds(c *PastColumn) bool {
	if c.seq < s.past.first() || c.seq >= s.past.next {
		return false
	}
	f := s.summary(c.seq)
	return f.Index == c.Index && (f.Busy == c.Busy || f.Busy != f.Busy && c.Busy != c.Busy) // NaN: not known
}

// summary returns a frame with the busy time of the lane of the view.
func (s *Session) summary(seq uint64) FrameSummary {
	f := s.past.at(seq).FrameSummary
	if l := &s.lane; s.view.Lane != 0 && l.of == s.view.Lane {
		if f.Busy = l.busy.v[seq%uint64(len(l.busy.v))]; !l.busy.known(seq) {
			f.Busy = float32(math.NaN())
		}
		f.Over = s.over(float64(f.Busy))
		f.Others, f.OtherLanes = 0, 0 // it is alone
	}
	return f
}

// column makes the column of the frames from..to-1.
func (s *Session) column(from, to uint64) (c PastColumn) {
	c = PastColumn{FrameSummary: s.summary(from), seq: from, from: from, to: to}
	bytes, cycles, others, lanes := c.AllocBytes, c.Cycles, c.Others, c.OtherLanes
	for seq := from + 1; seq < to; seq++ {
		f := s.summary(seq)
		if f.Busy > c.Busy || c.Busy != c.Busy {
			c.FrameSummary, c.seq = f, seq
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
func (s *Session) pastSeries(p *Past, of Series, age int) {
	var values []float32
	if n := len(p.Series); n < cap(p.Series) {
		values = p.Series[:n+1][n].Values[:0]
	}
	h, t := &s.past, &s.past.zones[of.Zone].self
	if !of.Idle || s.view.Lane != 0 {
		t = s.ownSelf(of.Zone)
	}
	birth := h.zones[of.Zone].birth
	for i := range p.Columns {
		values = append(values, h.value(t, birth, p.Columns[i].seq))
	}
	of.Values = values
	p.Series = append(p.Series, of)
	shown := float32(math.NaN())
	if age >= 0 && uint64(age) < h.next-h.first() {
		shown = h.value(t, birth, h.next-1-uint64(age))
	}
	p.Shown = append(p.Shown, shown)
}

// value returns the value of a trace in a frame, NaN if it is not known.
func (h *history) value(t *trace1, birth, seq uint64) float32 {
	if seq < birth || seq < h.known && h.at(seq).unknown || !t.known(seq) {
		return float32(math.NaN())
	}
	return t.v[seq%uint64(len(t.v))]
}
