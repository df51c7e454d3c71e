package viewer_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
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
	if dst.Series = dst.Series[:0]; o.Series > 0 {
		dst.Series = a.AppendTopSeries(dst.Series, o.Frames, o.Series, o.Also)
	}
	past(a, dst, o)
	dst.Tree = a.AppendTree(dst.Tree[:0], d.view)
	if dst.Changed = dst.Changed[:0]; d.view.Compare {
		mode := d.view.Mode
		d.view.Mode = report.ReportSelfTime
		a.AppendReport(&d.flat)
		d.view.Mode = mode
		dst.Changed = slices.Grow(dst.Changed, len(d.infos))[:len(d.infos)]
		clear(dst.Changed)
		d.flat.MarkChanged(dst.Changed)
	}
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
	p.Window = o.Past
	p.Kept = len(all)
	if p.Frames == 0 {
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

// solveText is the function of the zone physics_solve. Its second line is that of the zone.
const solveText = `func (w *World) solve(dt float64) {
	defer zoneSolve.Begin().End()
	for step := range w.steps(dt) {
		w.findPairs(step)
		if w.contacts > mostContacts {
			w.findPairs(step.half())
		}
	}
	for _, b := range w.bodies {
		if b.awake() { // the others rest, and nothing that touches them has moved in this frame or before
			b.join(w.split)
		}
	}
	w.split(w.joined)
	w.settle()
}`

// elsewhere gives the zones inside physics_solve places in other functions. Nothing there calls that of ccd.
func (d *demo) elsewhere(zone report.ZoneID, z gather.ZoneInfo) gather.ZoneInfo {
	switch d.zones[zone].name {
	case "physics_solve":
		z.Function, z.File, z.Line = "voxel/sim.(*World).solve", "/game/engine/world.go", 88
	case "broadphase":
		z.Function = "voxel/sim.(*World).findPairs"
	case "islands":
		z.Function, z.File = "voxel/sim.(*World).split", "/game/engine/islands.go"
	case "ccd":
		z.Function, z.File = "voxel/sim.(*Sweep).continuous", "/game/engine/sweep.go"
	}
	return z
}

// source has the function of the zone physics_solve.
func (d *demo) source(zone gather.ZoneInfo) *report.Code {
	if zone.Name != "physics_solve" {
		return &report.Code{Why: "not here"}
	}
	return &report.Code{Function: "solve", First: 87, Lines: strings.Split(solveText, "\n"),
		Calls: []report.CodeCall{{Line: 89, Function: "steps"}, {Line: 90, Function: "findPairs"},
			{Line: 92, Function: "findPairs"}, {Line: 96, Function: "awake"}, {Line: 97, Function: "join"},
			{Line: 100, Function: "split"}, {Line: 101, Function: "settle"}}}
}

// hotLines has samples of the zone physics_solve.
func (d *demo) hotLines() *report.HotLines {
	world := func(line, samples int, text string) report.HotLine {
		return report.HotLine{Function: "voxel/sim.(*World).solve", File: "/game/engine/world.go", Line: line,
			Samples: samples, Text: text}
	}
	return &report.HotLines{Zone: report.ZoneID(d.find("physics_solve")), Samples: 412, Others: 1200, Outside: 180,
		Lines: []report.HotLine{world(96, 171, "if b.awake() { // the others rest, and nothing"),
			{Function: "voxel/sim.(*Body).awake", File: "/game/engine/body.go", Line: 31, Samples: 90,
				Text: "return b.energy > least && b.distance(camera) < far"},
			{Function: "runtime.mapaccess1_fast64", File: "/go/src/runtime/map.go", Line: 12, Samples: 83},
			world(89, 40, "for step := range w.steps(dt) {"), world(95, 28, "for _, b := range w.bodies {")},
		Functions: []report.HotFunction{{Function: "voxel/sim.(*World).solve", Samples: 239},
			{Function: "voxel/sim.(*Body).awake", Samples: 90}, {Function: "runtime.mapaccess1_fast64", Samples: 83}}}
}

// rowNamed returns the row of a zone, 0 if there is none.
func rowNamed(d *demo, zone string) int {
	var r report.Report
	d.AppendReport(&r)
	for i := range r.Records {
		if r.Records[i].Zone == report.ZoneID(d.find(zone)) {
			return i
		}
	}
	return 0
}

// AppendReport makes the rows for the demo's view.
func (d *demo) AppendReport(dst *report.Report) {
	*dst = report.Report{View: d.view, Frame: d.Info(), Warnings: d.warn, Clock: d.clock,
		Cursor: -1, Records: dst.Records[:0],
		Columns: dst.Columns[:0]}
	dst.Title = fmt.Sprintf("%.2f ms  %.1f fps  sort %s", dst.Frame.Length, dst.Frame.FPS,
		[]string{"self", "hier", "hier", "hier", "hier", "self"}[d.view.Mode])
	dst.Columns = append(dst.Columns, report.ColumnSelf, report.ColumnHier, report.ColumnCount)
	dst.Sorted = report.ColumnHier
	if d.view.Mode == report.ReportSelfTime {
		dst.Sorted = report.ColumnSelf
	}
	if d.frames == 0 || d.gone {
		return
	}
	if d.view.Age == demoSpike {
		dst.Verdict = d.verdict()
	}
	switch d.view.Mode {
	case report.ReportCallTree:
		d.treeRows(dst)
	case report.ReportCallGraph, report.ReportCallGraphDescendants:
		d.graphRows(dst)
	default:
		d.flatRows(dst)
	}
	dst.Cursor = min(max(d.view.Cursor, 0), len(dst.Records)-1)
	if d.view.Compare {
		d.compared.Compare(dst)
	}
}

// Arrange changes the demo's view, as a session does.
func (d *demo) Arrange(change func(a *report.Arrangement)) {
	change(&d.view.Arrangement)
	if d.view.Compare = d.view.Compare && d.compared.Pinned; !d.view.Compare && d.view.Order.By >= report.ColumnDelta {
		d.view.Order = report.Order{}
	}
}

// PinBaseline keeps the demo's report.
func (d *demo) PinBaseline() {
	v := d.view
	v.Mode, v.Cursor, v.Arrangement = report.ReportSelfTime, 0, report.Arrangement{}
	var r report.Report
	d.AppendReportOf(&r, v)
	d.view.Compare = d.compared.Pin(&r, d.AppendTree(nil, v)) || d.view.Compare
}

// AppendReportOf makes the rows for another view.
func (d *demo) AppendReportOf(dst *report.Report, v report.View) {
	other := *d
	other.view = v
	other.AppendReport(dst)
}

// chosen returns the number of frames of the demo's lens.
func (d *demo) chosen() (n int) {
	l := &d.view.Lens
	for i := range d.memory {
		f := &d.memory[i]
		if l.Kind == report.LensAll || l.Kind == report.LensOver && f.Over || l.Kind == report.LensWithin &&
			!f.Over ||
			l.Kind == report.LensRange && f.Index >= min(l.From, l.To) && f.Index <= max(l.From, l.To) {
			n++
		}
	}
	return n
}

var demoLanes = []report.LaneInfo{
	{ID: 1, Name: "main", Self: 14.2}, {ID: 2, Name: "worker 1", Self: 6.1},
	{ID: 3, Name: "loader of textures and sounds and everything else", Self: 0.25},
}

// record makes the row of a path.
func (d *demo) record(i int) report.Record {
	z := d.zones[i]
	at := d.at()
	r := report.Record{Zone: report.ZoneID(i), Path: int32(i), Name: d.nameOf(report.ZoneID(i)), Idle: z.idle,
		Estimated: d.signed[z.name], Mask: report.AllColumns}
	r.Values[report.ColumnSelf], r.Values[report.ColumnHier], r.Values[report.ColumnCount] = float64(z.self[at]),
		d.hier(i, at), z.count
	r.Values[report.ColumnSelfPercent] = 100 * float64(z.self[at]) / float64(d.memory[at].Length)
	r.Values[report.ColumnHierPerCall] = d.hier(i, at) / z.count
	r.Values[report.ColumnDeviation], r.Values[report.ColumnAllocBytes] = 0.07*float64(z.self[at]), 4096*z.count
	for f := range demoFrames {
		h := d.hier(i, f)
		r.Values[report.ColumnP99] = max(r.Values[report.ColumnP99], 0.8*h)
		r.Values[report.ColumnMean] += h / demoFrames
		r.Values[report.ColumnMax] = max(r.Values[report.ColumnMax], h)
	}
	r.Heat = float32(min(max(r.Values[report.ColumnHier]/r.Values[report.ColumnMean]-1.1, 0), 1))
	return r
}

// treeRows opens render_world and simulate.
func (d *demo) treeRows(dst *report.Report) {
	for i, z := range d.zones {
		if z.level < 1 || z.level > 2 {
			continue
		}
		r := d.record(i)
		r.Indent = int(z.level) - 1
		if i+1 < len(d.zones) && d.zones[i+1].level > z.level {
			r.Sign = report.SignOpen
			if z.level == 1 {
				r.Sign = report.SignFocus
			}
		}
		dst.Records = append(dst.Records, r)
	}
}

func (d *demo) flatRows(dst *report.Report) {
	for i := range d.zones {
		r := d.record(i)
		r.Sign = report.SignOpen
		dst.Records = append(dst.Records, r)
	}
	column := dst.Sorted
	slices.SortStableFunc(dst.Records,
		func(a, b report.Record) int { return cmpDown(a.Values[column], b.Values[column]) })
}

// graphRows makes the call graph of physics_solve, with signs of every kind.
func (d *demo) graphRows(dst *report.Report) {
	add := func(name string, g report.Group, mark report.Sign, indent int) *report.Record {
		r := d.record(d.find(name))
		r.Group, r.Sign, r.Indent = g, mark, indent
		dst.Records = append(dst.Records, r)
		return &dst.Records[len(dst.Records)-1]
	}
	add("streaming", report.GroupParent, report.SignOpen, 0).Site = "stream.go:88"
	add("simulate", report.GroupParent, report.SignOpen, 0).Depth = 3
	add("physics_solve", report.GroupFocus, report.SignFocus, 1).Open = true
	add("broadphase", report.GroupChild, report.SignOpen, 2)
	add("islands", report.GroupChild, report.SignOpen, 2).Costly = true
	add("ccd", report.GroupChild, report.SignNone, 2)
}

// AppendValueSeries makes counts and levels: steady, rising, rare and new ones, hostile names, and more than there is
// room for.
func (d *demo) AppendValueSeries(dst []report.ValueSeries, frames int) []report.ValueSeries {
	if d.frames == 0 {
		return dst
	}
	wave := func(i int, period float64) float64 { return math.Sin(2 * math.Pi * float64(i) / period) }
	for _, v := range []struct {
		name string
		kind report.ValueKind
		at   func(i int) float64
	}{
		{"heap allocated", report.ValueHeap, func(i int) float64 { return 40000 }},
		{"entities", report.ValueLevel, func(i int) float64 { return math.Round(1200 + 300*wave(i, 200)) }},
		{"draw calls", report.ValueCount, func(i int) float64 { return float64(180 + i%13*4) }},
		{"chunks loaded", report.ValueCount, func(i int) float64 { return float64((i % 40) / 39 * 6) }},
		{"players \u202eonline", report.ValueLevel, func(i int) float64 { return math.NaN() }},
		{"load", report.ValueLevel, func(i int) float64 { return 0.5 + 0.4*wave(i, 70) }},
		{"cache misses of the second level, by estimation", report.ValueCount,
			func(i int) float64 { return float64(i) }},
		{"seventh", report.ValueCount, func(i int) float64 { return 7 }},
	} {
		s := report.ValueSeries{FrameValue: report.FrameValue{Name: v.name, Kind: v.kind}}
		for i := range demoFrames {
			x := v.at(i)
			if v.name[0] == 'p' && i > 150 {
				x = float64(i / 50)
			}
			s.Values = append(s.Values, float32(x))
		}
		s.Values = s.Values[demoFrames-min(frames, demoFrames):]
		dst = append(dst, s)
	}
	return dst
}

// demoSpike is the age of the demo's frame that has a verdict.
const demoSpike = 93

// verdict explains the frame of the spike in physics_solve and broadphase.
func (d *demo) verdict() report.Verdict {
	f := d.memory[d.at()]
	usual := d.memory[d.at()-1]
	v := report.Verdict{Index: f.Index, Frames: 1, Over: f.Over, Time: float64(f.Length), Usual: float64(usual.Length),
		Excess: float64(f.Length - usual.Length), Budget: d.budget.Seconds() * 1000}
	for _, c := range []struct{ name, caller string }{{"physics_solve", "simulate"}, {"broadphase", "physics_solve"}} {
		at := d.find(c.name)
		now, before := float64(d.zones[at].self[d.at()]), float64(d.zones[at].self[d.at()-1])
		v.Causes = append(v.Causes, report.Cause{Kind: report.CauseLonger, Zone: report.ZoneID(at), Path: int32(at),
			Name: d.nameOf(report.ZoneID(at)), Callers: []string{d.nameOf(report.ZoneID(d.find(c.caller)))},
			Self: c.name == "physics_solve", Time: now, Usual: before, Excess: now - before,
			Count: d.zones[at].count, Often: d.zones[at].count})
	}
	return v
}
