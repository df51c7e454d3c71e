package rows

import (
	"cmp"
	"slices"

	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// AppendShownLanes appends the lanes of the frames that the view shows, the busiest first.
func (b *Builder) AppendShownLanes(dst []report.LaneInfo) []report.LaneInfo {
	from := len(dst)
	b.rows.laneRows = resize.To(b.rows.laneRows, len(b.store.Lanes.List))
	clear(b.rows.laneRows)
	if b.View.Through() && b.store.Past.Next > 0 {
		b.Load(&b.View)
		l := &b.Looker.Lens
		for _, seq := range l.Frames {
			dst = b.appendLanes(dst, b.store.Past.At(seq), l.Of.Per(len(l.Frames)))
		}
		if w := b.store.WholeFor(l.Of); w != nil {
			dst = appendWholeLanes(dst, from, w, l.Of.Per(int(w.Frames)))
		}
	} else if p := b.store.Shown(&b.View); p != nil {
		dst = b.appendLanes(dst, p, 1)
	}
	slices.SortStableFunc(dst[from:], func(a, b report.LaneInfo) int { return cmp.Compare(b.Self, a.Self) })
	return dst
}

// appendLanes adds the lanes of a frame, divided by a number. rows.laneRows has the index in dst of the
// lanes already there.
func (b *Builder) appendLanes(dst []report.LaneInfo, p *history.Frame, per float64) []report.LaneInfo {
	for i := range p.Lanes {
		l := &p.Lanes[i]
		row := &b.rows.laneRows[l.Place]
		if *row == 0 {
			known := &b.store.Lanes.List[l.Place]
			dst = append(dst, report.LaneInfo{ID: known.ID, Name: known.Name, Device: l.Device})
			*row = int32(len(dst))
		}
		to := &dst[*row-1]
		to.CPU += l.CPU / per
		to.Self += p.BusyOf(l) / per
	}
	return dst
}

// AppendTopSeries appends the most important zones, then those of keep that are not among them.
func (b *Builder) AppendTopSeries(dst []report.Series, frames, most int, keep []report.ZoneID,
	also report.ZoneID) []report.Series {
	b.SeenLane(&b.View)
	b.store.Own.Follow(&b.store.Past, &b.store.Tree, len(b.store.Zones))
	var top history.TopZones
	n := float64(max(b.store.Past.Length(), 1))
	first := b.store.Past.First()
	for i := range b.store.Past.Zones.Len() {
		t := b.Looker.OwnSelf(report.ZoneID(i), b.View.Lane)
		if b.store.Past.Zones.At(i).Birth < b.store.Past.Next && t.Sum(first) > 1e-9 && b.works(report.ZoneID(i)) {
			rank := t.Sum(first)/n + float64(t.Max(first))/10
			top.Put(min(most, history.MaxSeries), history.Ranked{Zone: report.ZoneID(i), Rank: rank})
		}
	}
	zones := top.Zones[:top.N]
	top.N = 0
	for _, z := range zones { // one by one, in the order of their sums
		z.Rank = b.Looker.OwnSelf(z.Zone, b.View.Lane).Sum(first)
		top.Put(len(zones), z)
	}
	for _, z := range zones {
		dst = b.store.AppendSeriesOf(dst, z.Zone, b.Looker.OwnSelf(z.Zone, b.View.Lane), frames)
		if z.Zone == also {
			also = -1
		}
	}
	for _, zone := range keep {
		if !top.Has(zone) && b.store.InHistory(zone) && b.works(zone) {
			dst = b.store.AppendSeriesOf(dst, zone, b.Looker.OwnSelf(zone, b.View.Lane), frames)
		}
		if zone == also {
			also = -1
		}
	}
	if b.store.InHistory(also) {
		t := &b.store.Past.Zones.At(int(also)).Self
		if b.View.Lane != 0 {
			t = b.Looker.OwnSelf(also, b.View.Lane)
		}
		dst = b.store.AppendSeriesOf(dst, also, t, frames)
	}
	return dst
}

// works reports whether the history names a zone: it shows work of the program. The root of all lanes is none.
func (b *Builder) works(zone report.ZoneID) bool {
	z := &b.store.Zones[zone]
	root := zone == 0 && (b.Looker.IdleRoot(b.View.Lane) || b.View.Lane == 0 && b.store.AllLanes())
	return !z.Idle && !root && !measure.OfProfiler(z.Name) && !b.View.Hides(zone)
}
