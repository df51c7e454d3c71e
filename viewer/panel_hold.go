package viewer

import (
	"slices"

	"example.com/iprof/process"
)

// hold keeps the picture still while the mouse is over it. Frames go on being recorded.
type hold struct {
	changes uint64 // of the user in the last Draw that took data
	now     process.Snapshot
}

// take takes the snapshot of a Draw, or keeps the last one while the mouse is over something that would move under it.
// A change by the user takes a new one.
func (p *Panel) take() {
	d, h := &p.shown, &p.hold
	p.strip.behind = 0
	if !p.held() {
		h.changes = p.changes
		d.take(p.source, p.wants())
		return
	}
	p.source.Snapshot(&h.now, process.SnapshotOptions{Brief: true})
	now := &h.now.Report
	other := !sameView(now.View, d.view) || !sameArrangement(&now.View.Arrangement, &d.view.Arrangement)
	if other || !now.Frame.Live || now.Frame.Frames < d.info.Frames ||
		p.card.open && now.View.Cursor != d.view.Cursor {
		d.take(p.source, p.wants())
		return
	}
	if d.view.Cursor != now.View.Cursor && now.View.Cursor < len(d.Report.Records) {
		d.view.Cursor, d.Report.Cursor, d.Report.View.Cursor = now.View.Cursor, now.View.Cursor, now.View.Cursor
	}
	p.strip.behind = int(now.Frame.Frames - d.info.Frames)
}

func sameArrangement(a, b *process.Arrangement) bool {
	return a.Order == b.Order && a.Filter == b.Filter && a.CallersOnly == b.CallersOnly && a.Grouping == b.Grouping &&
		a.Compare == b.Compare && a.ShowIdle == b.ShowIdle && slices.Equal(a.Hidden, b.Hidden)
}

// held reports whether the mouse holds the picture.
func (p *Panel) held() bool {
	if !p.options.Focused || !p.canvas.hover.here || p.hold.changes != p.changes || !p.shown.info.Live {
		return false
	}
	switch p.shown.hover.Kind {
	case HitRecord, HitCaret, HitPackage, HitGraph, HitAxis, HitLegend, HitIcicle, HitStructure, HitZone, HitSlow,
		HitTimeline, HitTimelineLane:
		return true
	}
	return false
}

// ShowAge pauses, and shows the frame of an age in the last Draw: 0 is its newest. Frames that have ended since do not
// count. Ages out of range are clamped. Any goroutine may call it.
func (p *Panel) ShowAge(age int) {
	p.session.Pause()
	p.mu.Lock()
	drawn := p.shown.info.Frames
	p.mu.Unlock()
	if behind := p.session.Info().Frames; drawn > 0 && behind > drawn {
		age += int(behind - drawn)
	}
	p.session.SetFrame(age)
}
