package viewer

import "example.com/iprof/process"

// source is a panel's view of a session. Draw takes one Snapshot, so all parts of a screen show the same moment.
type source interface {
	View() process.View
	Arrange(change func(a *process.Arrangement))
	PinBaseline()
	Generation() uint64
	Snapshot(dst *process.Snapshot, o process.SnapshotOptions)
	WantCalls(zone process.ZoneID) (release func())
}

// shown is the data of one Draw. The next Draw uses its memory again.
type shown struct {
	process.Snapshot
	view  process.View
	info  process.FrameInfo
	hover Hit      // the part under the mouse
	names []string // short names, by zone; "" for none
	found found    // by the text being searched for
	late  bool     // the part under the mouse has changed: another Draw highlights it everywhere
}

// take takes the snapshot of a Draw.
func (d *shown) take(s source, o process.SnapshotOptions) {
	o.Frames = historyFrames
	if o.Values {
		o.Frames = max(o.Frames, o.Past.Skip+o.Past.Frames)
	}
	s.Snapshot(&d.Snapshot, o)
	d.view, d.info = d.Report.View, d.Report.Frame
	d.found.take(d)
}

// wants returns the parts of a snapshot that the whole screen shows.
func (p *Panel) wants() process.SnapshotOptions {
	from, to := p.timeline.view.reach()
	now := p.source.View()
	return process.SnapshotOptions{
		Columns:  p.table.chosen.orUsual().values,
		Series:   p.strip.most(),
		Keep:     p.strip.keep(now.Lane),
		Also:     p.shown.zoneUnderMouse(),
		Past:     p.strip.wants(p.canvas.em, now.Age),
		History:  sparkFrames,
		Values:   p.options.Second == SecondValues,
		Slowest:  p.options.Second == SecondSlowest,
		Lanes:    p.menu.kind == menuLanes,
		Around:   p.card.open,
		Calls:    p.card.calls.due(),
		Timeline: p.timeline.mode != TimelineHidden || p.card.open && !p.shown.info.Live,

		TimelineFrom: from,
		TimelineTo:   to,
	}
}

// zoneUnderMouse returns the zone that all parts of the screen highlight, or -1.
func (d *shown) zoneUnderMouse() process.ZoneID {
	switch d.hover.Kind {
	case HitRecord, HitCaret, HitZone, HitIcicle, HitLegend, HitTimeline:
		return d.hover.Zone
	}
	return -1
}
