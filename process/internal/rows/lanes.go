package rows

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// busyOf returns the busy time of the view's lane in the frame p of the view, or the mean over its frames.
func busyOf(b *Builder, v *report.View, p *history.Frame) float64 {
	if b.choices.made {
		return b.choices.busy(b, v, p)
	}
	return b.store.BusyOn(p, b.store.LanePlace(v.Lane))
}

// busyIn is busy for any choices.
func (b *Builder) busyIn(v *report.View, p *history.Frame) (busy float64) {
	w := b.store.WholeFor(v.LensInForce())
	switch {
	case w != nil:
		return w.BusyOn(v.Lane)
	case v.Through():
		l := b.Looker.FollowLane(v.Lane)
		for _, seq := range b.Looker.Lens.Frames {
			busy += float64(l.Busy.At(seq)) / float64(len(b.Looker.Lens.Frames))
		}
		return busy
	case b.store.Smooth(v):
		return b.Looker.FollowLane(v.Lane).Smooth(&b.store.Past, v.Average)
	}
	return b.store.BusyOn(p, b.store.LanePlace(v.Lane))
}

// setIdleOutside stores whether time outside zones is idle in a report. It is idle in reports of a single lane that
// does not end the frame.
func (b *Builder) setIdleOutside(v *report.View, p *history.Frame) {
	b.idleOutside = false
	if v.Lane == 0 || p == nil || p.Lost {
		return
	}
	place := b.store.LanePlace(v.Lane)
	for i := range p.Lanes {
		if p.Lanes[i].Place == place {
			b.idleOutside = !p.Lanes[i].Updater
		}
	}
}

// idle reports whether a zone of the report is idle. Idle zones come after busy ones.
func (b *Builder) idle(zone report.ZoneID) bool {
	return b.store.Zones[zone].Idle || zone == 0 && b.idleOutside
}

// SeenLane follows the lane of a view, for the report to come. It drops the history of a lane that is no longer viewed.
func (b *Builder) SeenLane(v *report.View) {
	if b.store.Digest(); v.Lane != 0 && b.choices.made {
		b.choices.follow(&b.Looker, v.Lane)
	} else if v == &b.View && b.Looker.Lane.Of != 0 {
		b.Looker.Lane = history.LaneHistory{}
	}
}

// laneMeans sets mean and max of a row of one lane, from the frames of the lens.
func (b *Builder) laneMeans(out *report.Record, r *row, v *report.View) {
	t, frames := b.laneSeries(r, v), b.Looker.Lens.Frames
	if !v.Through() || t == nil || len(frames) == 0 {
		return
	}
	most, sum := 0.0, 0.0
	for _, seq := range frames {
		x := float64(t.At(seq))
		most, sum = max(most, x), sum+x
	}
	out.Values[report.ColumnMean], out.Values[report.ColumnMax] = sum/float64(len(frames)), most
	out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax)
}

// laneStatistics sets the wanted columns of a row of one lane, except for the columns that are always set.
func (b *Builder) laneStatistics(out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	if int(r.zone) >= b.store.Past.Zones.Len() {
		return // no frame has ended since Reset
	}
	birth := b.store.Past.Zones.At(int(r.zone)).Birth
	if r.path > 0 {
		birth = b.store.Tree.Paths[r.path].Birth
	}
	fill := func(columns *history.StatColumns, t *history.Series) {
		times := b.store.Windows.Picks[:0]
		b.eachFrame(v, func(seq uint64) {
			if b.knows(t, birth, seq) {
				times = append(times, t.At(seq))
			}
		})
		b.store.Windows.Picks = times
		fillSorted(columns, out, want, times)
	}
	if t := b.laneSeries(r, v); t != nil && !want.And(history.HistoryHier.Columns()).Empty() {
		fill(&history.HistoryHier, t)
	}
	h, self := b.Looker.HistoryOf(v), want.And(history.HistorySelf.Columns())
	if r.path < 0 && int(r.zone) < h.Zones.Len() && !self.Empty() {
		fill(&history.HistorySelf, &h.Zones.At(int(r.zone)).Self)
	}
}

// laneSeries returns the hierarchical time of a row per frame on the lane of a view, or nil.
func (b *Builder) laneSeries(r *row, v *report.View) *history.Series {
	h := b.Looker.HistoryOf(v)
	switch {
	case r.path > 0 && int(r.path) < h.Paths.Len():
		return h.Paths.At(int(r.path))
	case r.path < 0 && int(r.zone) < h.Zones.Len():
		return &h.Zones.At(int(r.zone)).Hier
	}
	return nil
}

// setJoined fills in the goroutine that the frames of a view waited for. Means have no name, because the goroutine
// changes from frame to frame.
func (b *Builder) setJoined(i *report.FrameInfo, v *report.View, p *history.Frame, mean float64) {
	if v.Lane != 0 {
		return
	}
	if i.Joined = mean; i.Averaged() || v.Through() {
		return
	}
	lane := int32(-1)
	if i.Joined, lane = b.store.WaitedFor(p); lane >= 0 {
		i.Worker = b.store.Lanes.List[lane].Name
	}
}
