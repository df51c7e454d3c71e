package rows

import (
	"math"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Around fills in the data around the zone under the cursor of a report, with a history of frames frames.
func (b *Builder) Around(a *report.Around, shown *report.Report, frames int, calls bool) {
	before := a.Zone
	a.Zone, a.History, a.Depths = -1, a.History[:0], a.Depths[:0]
	if r := shown.CursorRecord(); r != nil {
		a.Zone = r.Zone
	}
	if calls || a.Zone != before {
		a.Calls, a.Callers, a.CallFrames = a.Calls[:0], a.Callers[:0], 0
	}
	if a.Zone < 0 {
		return
	}
	a.Counts = b.store.Running() || b.store.Feed.Count != nil
	v := b.View
	v.Lens = v.LensInForce() // ReportExtra has its own
	v.Mode, v.Focus, v.Cursor = report.ReportCallGraph, a.Zone, 0
	b.Build(&a.Report, &v)
	a.Depths = b.appendDepths(a.Depths, a.Zone)
	if h := b.Looker.HistoryOf(&b.View); int(a.Zone) < h.Zones.Len() {
		birth := b.store.Past.Zones.At(int(a.Zone)).Birth
		a.History = b.store.Past.Append(a.History, &h.Zones.At(int(a.Zone)).Hier, birth, frames)
	}
	if calls {
		b.store.FillCalls(a)
	}
}

// AppendHistories appends the histories of some of the records, of at most frames frames up to the frame of an age.
// each is the number of frames in a history.
func (b *Builder) AppendHistories(dst []float32, of []report.Record, some []int32, until, frames int) (
	all []float32, each int) {

	to := b.store.Past.Next - min(b.store.Past.Next, uint64(until))
	from := min(b.store.Past.Since(until+frames), to)
	if to == from {
		return dst, 0
	}
	b.store.Digest()
	for _, i := range some {
		dst = b.appendHistory(dst, &of[i], from, to)
	}
	return dst, int(to - from)
}

// appendHistory appends the history of a record's path, or of its zone if the record sums several paths. Some histories
// are unknown.
func (b *Builder) appendHistory(dst []float32, r *report.Record, from, to uint64) []float32 {
	h := b.Looker.HistoryOf(&b.View)
	switch {
	case r.Path >= 0 && int(r.Path) < h.Paths.Len():
		return b.store.Past.AppendSpan(dst, h.Paths.At(int(r.Path)), b.store.Tree.Paths[r.Path].Birth, from, to)
	case r.Path < 0 && r.Zone >= 0 && int(r.Zone) < h.Zones.Len():
		birth := b.store.Past.Zones.At(int(r.Zone)).Birth
		return b.store.Past.AppendSpan(dst, &h.Zones.At(int(r.Zone)).Hier, birth, from, to)
	}
	for range to - from {
		dst = append(dst, 0)
	}
	return dst
}

// HotFrame returns the beginning of the frame that the view shows, 0 for a mean of several frames.
func (b *Builder) HotFrame() platform.Ticks {
	if b.View.Through() || b.View.Age == 0 && b.View.Kept == 0 && b.View.Average != report.AverageInstant {
		return 0
	}
	if p := b.store.Shown(&b.View); p != nil {
		return p.From
	}
	return 0
}

// FillPast fills p with a window of the history and the series of zones. age is the age of the frame shown.
func (b *Builder) FillPast(p *report.Past, w report.Window, zones []report.Series, age int) {
	h := &b.store.Past
	if w.Until > 0 {
		w.Skip = int(h.Next - min(w.Until, h.Next))
	}
	p.Window, p.Kept = w.Clamp(h.Length(), history.MaxFrames), h.Length()
	p.Behind = int(b.store.Behind())
	p.Group = max((p.Frames+p.Window.Columns-1)/p.Window.Columns, 1)
	to := h.Next - min(h.Next, uint64(p.Skip))
	if p.Lane != b.View.Lane {
		p.Lane, p.Columns = b.View.Lane, p.Columns[:0]
	}
	b.Looker.CoverPast(p, max(h.First(), to-min(to, uint64(p.Frames))), to)
	collectPhases(p, h, &b.store.States)
	if b.View.Through() && h.Next > 0 {
		b.Load(&b.View) // chooses the frames of the lens
	}
	p.Series, p.Shown = p.Series[:0], p.Shown[:0]
	for i := range zones {
		b.pastSeries(p, zones[i], age)
	}
}

// pastSeries appends the series of a zone. If the columns belong to one lane, the series is of the same lane.
func (b *Builder) pastSeries(p *report.Past, of report.Series, age int) {
	var values []float32
	if n := len(p.Series); n < cap(p.Series) {
		values = p.Series[:n+1][n].Values[:0]
	}
	h, t := &b.store.Past, &b.store.Past.Zones.At(int(of.Zone)).Self
	if !of.Idle || b.View.Lane != 0 {
		t = b.Looker.OwnSelf(of.Zone, b.View.Lane)
	}
	birth := h.Zones.At(int(of.Zone)).Birth
	if n := len(p.Columns); p.Group == 1 && n > 0 { // one frame a column, without gaps
		values = h.AppendSpan(values, t, birth, p.Columns[0].Seq, p.Columns[n-1].Seq+1)
	}
	for i := len(values); i < len(p.Columns); i++ {
		values = append(values, h.Value(t, birth, p.Columns[i].Seq))
	}
	of.Values = values
	p.Series = append(p.Series, of)
	shown := float32(math.NaN())
	if b.View.Through() && h.Next > 0 {
		shown = b.lensMean(t, birth)
	} else if age >= 0 && uint64(age) < h.Next-h.First() {
		shown = h.Value(t, birth, h.Next-1-uint64(age))
	}
	p.Shown = append(p.Shown, shown)
}

// lensMean returns the mean of a series over the frames that the lens chooses from the history, 0 if there are none.
func (b *Builder) lensMean(t *history.Series, birth uint64) float32 {
	sum, n := 0.0, 0
	for _, seq := range b.Looker.Lens.Frames {
		if v := b.store.Past.Value(t, birth, seq); v == v {
			sum, n = sum+float64(v), n+1
		}
	}
	return float32(sum / float64(max(n, 1)))
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
