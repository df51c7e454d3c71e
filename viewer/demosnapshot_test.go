package viewer_test

import (
	"cmp"
	"slices"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// answers is a test's data for each part of a snapshot.
type answers interface {
	AppendReport(dst *report.Report)
	AppendReportOf(dst *report.Report, v report.View)
	AppendTopSeries(dst []report.Series, frames, most int, also report.ZoneID) []report.Series
	AppendValueSeries(dst []report.ValueSeries, frames int) []report.ValueSeries
	AppendFrames(dst []report.FrameSummary, frames int) []report.FrameSummary
	AppendTree(dst []report.TreeNode, v report.View) []report.TreeNode
	AppendPathHistory(dst []float32, path int32, frames int) []float32
	AppendZoneHistory(dst []float32, zone report.ZoneID, frames int) []float32
	AppendTimelineLanes(dst []timeline.Lane, age int) []timeline.Lane
	AppendTimelineFrames(dst []timeline.Frame, age, older, newer int) []timeline.Frame
	AppendTimelineRange(dst []timeline.Scope, lane report.LaneID, age, older, newer int) []timeline.Scope
}

func (d *demo) Snapshot(dst *process.Snapshot, o process.SnapshotOptions)   { d.snapshot(d, dst, o) }
func (f *frozen) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) { f.snapshot(f, dst, o) }
func (t *timed) Snapshot(dst *process.Snapshot, o process.SnapshotOptions)  { t.snapshot(t, dst, o) }
func (f *timedFrozen) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) {
	f.snapshot(f, dst, o)
}
func (s *still) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) { s.snapshot(s, dst, o) }

// snapshot makes a snapshot of the answers.
func (d *demo) snapshot(a answers, dst *process.Snapshot, o process.SnapshotOptions) {
	if d.infos == nil {
		for id := range d.zones {
			d.infos = append(d.infos, d.Zone(report.ZoneID(id)))
		}
	}
	for id := range d.infos {
		d.infos[id].Name = d.nameOf(report.ZoneID(id))
	}
	dst.Zones = d.infos
	dst.Marks = d.marks
	dst.Frames = a.AppendFrames(dst.Frames[:0], o.Frames)
	if o.Brief {
		dst.Report.View, dst.Report.Frame, dst.Report.Verdict = d.view, d.Info(), report.Verdict{}
		if d.view.Age == demoSpike {
			dst.Report.Verdict = d.verdict()
		}
		return
	}
	a.AppendReport(&dst.Report)
	if o.Flat {
		v := d.view
		v.Mode, v.Cursor = report.ReportSelfTime, 0
		a.AppendReportOf(&dst.Report, v)
	}
	if dst.Series = dst.Series[:0]; o.Series > 0 {
		dst.Series = a.AppendTopSeries(dst.Series, o.Frames, o.Series, o.Also)
	}
	past(a, dst, o)
	dst.Tree = a.AppendTree(dst.Tree[:0], d.view)
	dst.Measured = dst.Report.Frame.Frames == 0 && d.unended > 1
	if o.Values {
		dst.Values = a.AppendValueSeries(dst.Values[:0], o.Frames)
	}
	dst.Lanes, dst.Slowest = append(dst.Lanes[:0], demoLanes...), append(dst.Slowest[:0], d.slowest()...)
	d.histories(a, dst, o.History)
	d.around(a, dst, o)
	if o.Timeline {
		d.timeline(a, dst, o)
	}
}

// framesOf is memory for past.
var framesOf = map[*process.Snapshot][]report.FrameSummary{}

// past makes the columns of the history in the simplest way.
func past(a answers, dst *process.Snapshot, o process.SnapshotOptions) {
	all := a.AppendFrames(framesOf[dst][:0], 1<<20)
	framesOf[dst] = all
	p := &dst.Past
	if p.Window, p.Kept = o.Past, len(all); p.Frames == 0 {
		return
	}
	p.Group = max((p.Frames+p.Window.Columns-1)/p.Window.Columns, 1)
	p.Columns, p.Series, p.Shown = p.Columns[:0], p.Series[:0], p.Shown[:0]
	if o.Values {
		dst.Frames = dst.Frames[max(len(dst.Frames)-p.Frames, 0):]
	}
	first := max(len(all)-p.Skip-p.Frames, 0)
	for at := first; at < len(all)-p.Skip; {
		end := min((at/p.Group+1)*p.Group, len(all)-p.Skip)
		best := at
		for i := at; i < end; i++ {
			if all[i].Busy > all[best].Busy {
				best = i
			}
		}
		newest := len(all) - 1
		p.Columns = append(p.Columns, report.PastColumn{FrameSummary: all[best], Age: newest - best,
			Oldest: newest - at, Newest: newest - end + 1})
		at = end
	}
	for _, s := range dst.Series {
		var values []float32
		if n := len(p.Series); n < cap(p.Series) {
			values = p.Series[:n+1][n].Values[:0]
		}
		for i := range p.Columns {
			values = append(values, s.Values[len(s.Values)-1-p.Columns[i].Age])
		}
		shown := float32(0)
		if age := dst.Report.Frame.Age; age < len(s.Values) {
			shown = s.Values[len(s.Values)-1-age]
		}
		s.Values = values
		p.Series, p.Shown = append(p.Series, s), append(p.Shown, shown)
	}
}

// histories makes the rows' histories, which end with the frame that is shown.
func (d *demo) histories(a answers, dst *process.Snapshot, frames int) {
	dst.Histories, dst.HistoryFrames, dst.UntilAge = dst.Histories[:0], frames, 0
	if i := &dst.Report.Frame; i.Age < len(dst.Frames) && !i.Gone && !i.Kept && i.Lens.Kind == report.LensOff {
		dst.UntilAge = i.Age
	}
	for i := range dst.Report.Records {
		d.line = a.AppendPathHistory(d.line[:0], dst.Report.Records[i].Path, dst.UntilAge+frames)
		dst.Histories = append(dst.Histories, d.line[:frames]...)
	}
}

func (d *demo) around(a answers, dst *process.Snapshot, o process.SnapshotOptions) {
	r := &dst.Around
	if r.Zone = -1; !o.Around || dst.Report.Cursor < 0 {
		return
	}
	r.Zone = dst.Report.Records[dst.Report.Cursor].Zone
	v := d.view
	v.Mode, v.Focus, v.Cursor = report.ReportCallGraph, r.Zone, 0
	a.AppendReportOf(&r.Report, v)
	r.History = a.AppendZoneHistory(r.History[:0], r.Zone, o.Frames)
	r.Counts = true
	r.Calls = d.AppendCalls(r.Calls[:0], r.Zone)
	r.Hot, r.CanSample, r.Sampling = d.hot, d.hot != nil, 0
	if d.hot != nil {
		r.Sampling = report.MinSampling
	}
}

// shownTimeline returns the frames of a snapshot's timeline.
type shownTimeline struct {
	index, frames uint64
	lane          report.LaneID
	from, to      float64
}

// neighbours is the number of frames that the demo's timeline has on either side.
const neighbours = 3

func (d *demo) timeline(a answers, dst *process.Snapshot, o process.SnapshotOptions) {
	f, t := &dst.Report.Frame, &dst.Timeline
	now := shownTimeline{f.Index, f.Frames, d.view.Lane, o.TimelineFrom, o.TimelineTo}
	if t.Serial > 0 && d.timelines[dst] == now {
		return
	}
	if d.timelines == nil {
		d.timelines = map[*process.Snapshot]shownTimeline{}
	}
	d.timelines[dst] = now
	older, newer := 0, 0
	if o.TimelineFrom < 0 {
		older = neighbours
	}
	if o.TimelineTo > 0 {
		newer = neighbours
	}
	d.timed.lanes = a.AppendTimelineLanes(d.timed.lanes[:0], d.view.Age)
	d.timed.frames = a.AppendTimelineFrames(d.timed.frames[:0], d.view.Age, neighbours, neighbours)
	d.timed.scopes = a.AppendTimelineRange(d.timed.scopes[:0], 0, d.view.Age, older, newer)
	t.Fill(d.view.Lane, d.view.Age, d.timed.lanes, d.timed.frames, d.timed.scopes)
}

// WantCalls records the zones whose calls are counted.
func (d *demo) WantCalls(zone report.ZoneID) (release func()) {
	if d.counted == nil {
		d.counted = map[report.ZoneID]bool{}
	}
	d.counted[zone] = true
	return func() { delete(d.counted, zone) }
}

// slowest ranks the frames that have been in the demo's memory since ClearSlowest, as a session does.
func (d *demo) slowest() []report.FrameSummary {
	newest := d.memory[len(d.memory)-1].Index
	if newest+1 < d.seen { // a reset
		d.ranked, d.seen = nil, 0
	}
	for _, f := range d.memory {
		if f.Index+1 > d.seen {
			d.ranked = append(d.ranked, f)
		}
	}
	d.seen = newest + 1
	slices.SortStableFunc(d.ranked, func(a, b report.FrameSummary) int { return cmp.Compare(b.Busy, a.Busy) })
	d.ranked = d.ranked[:min(len(d.ranked), 60)]
	for i := range d.ranked {
		f := &d.ranked[i]
		f.HasReport = slices.ContainsFunc(d.kept, func(k report.FrameSummary) bool { return k.Index == f.Index })
	}
	return d.ranked
}

func (d *demo) ClearSlowest() { d.ranked = nil }
