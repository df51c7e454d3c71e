package process

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Snapshot is the state of a session for the screen of a view, all at one moment. View.Snapshot fills it and reuses its
// memory. It is plain data. One goroutine may use it at a time.
type Snapshot struct {
	Generation uint64            // see View.Generation
	Zones      []gather.ZoneInfo // by id; read only: the memory is shared
	Programs   uint64            // changes when ids of zones change their meaning: another program began

	Report        report.Report         // of the view; with Brief only View, Frame and Verdict
	Histories     []float32             // of records: see History
	HistoryFrames int                   // values per record in Histories
	UntilAge      int                   // age of the last frame in Histories
	Frames        []report.FrameSummary // of the newest frames, oldest first: see Session.AppendFrames
	LaneBusy      []float32             // with View.Lane: busy time of the lane in the newest frames, ms, oldest first
	Series        []report.Series       // of the most important zones
	Past          report.Past           // the part of the history that SnapshotOptions.Past chooses
	Tree          []report.TreeNode     // see View.AppendTree
	Changed       []bool                // by zone, in a comparison by self time: see report.Report.MarkChanged
	Measured      bool                  // no frame has ended yet, but zones have been entered

	Overview  report.Overview       // of all frames
	Values    []report.ValueSeries  // of the heap, counts and levels
	Lanes     []report.LaneInfo     // see View.AppendLanes
	Slowest   []report.FrameSummary // up to 60, the slowest first, also those without a report: see View.ClearSlowest
	Around    report.Around
	MoreCalls bool          // the next Snapshot will have more single calls, of older frames
	Parts     []report.Part // of the frames that Report.Verdict is on, if there is one
	Timeline  timeline.Timeline
	Marks     []report.MarkInSight // of Past and Timeline, oldest first

	Pictures []report.FramePicture // of the slowest frames, if there are any: see Session.SetPicture

	Trace report.Tracing // of the program

	totals  []report.TreeNode
	flat    report.Report // for Changed
	inSight []int32       // the records that SnapshotOptions.InSight chose
	places  []int32       // by record: 1 + its place in Histories, 0 without one; nil: all, in order
}

// SnapshotOptions chooses the contents of a Snapshot. The zero value chooses the report without histories.
type SnapshotOptions struct {
	Brief   bool             // only Frames, and View, Frame and Verdict of the report
	Columns report.ColumnSet // of the report, besides those of the view: see Report.Want
	Frames  int              // newest frames in Frames, Series, Values and the history of Around
	Series  int              // greatest number of zones in Series
	Also    report.ZoneID    // additional zone in Series, -1 for none
	Keep    []report.ZoneID  // zones that are in Series besides, if they are in the history
	Past    report.Window    // of Snapshot.Past
	History int              // frames in the history of each record; 0: none

	// InSight appends the indices of the records that get a history, so that rows off the screen cost nothing. It is
	// called when all else in the snapshot is filled in, and must not call the session. Nil chooses all records.
	InSight func(dst []int32) []int32

	Values, Lanes, Slowest bool
	Overview               bool
	Around, Calls          bool
	Parts                  bool
	Timeline               bool

	// TimelineFrom and TimelineTo are the range that the timeline must cover, in ms from the beginning of the frame
	// shown. The timeline always covers the whole frame.
	TimelineFrom, TimelineTo float64
}

// Snapshot fills dst with the session's state for the view under one lock, so that its parts agree. It reuses dst's
// memory and does not allocate in steady state. Any goroutine may call it.
func (v *View) Snapshot(dst *Snapshot, o SnapshotOptions) {
	v.lock()
	defer v.unlock()
	v.store.ExplainsLate()
	v.store.Listens()
	v.store.Feed.Asked = false
	defer func() { dst.MoreCalls = v.store.Feed.Asked && v.store.Feed.More }()
	dst.Generation, dst.Zones, dst.Programs = v.generation(), v.store.Zones, v.store.Programs
	dst.Trace, _ = v.session.sources.Tracing()
	if o.Brief {
		dst.Report.View, dst.Report.Frame = v.rows.View, v.rows.Info(&v.rows.View, v.rows.FrameOf(&v.rows.View))
		dst.Report.Verdict.Clear()
		v.rows.Looker.Verdict(&dst.Report.Verdict, &v.rows.View)
		dst.Frames = v.store.AppendFrames(dst.Frames[:0], o.Frames)
		return
	}
	v.rows.Choose() // the parts of a snapshot are of any views
	dst.Report.Want = o.Columns
	v.rows.Build(&dst.Report, &v.rows.View)
	v.rows.View.Cursor = max(dst.Report.Cursor, 0)
	dst.Frames = v.store.AppendFrames(dst.Frames[:0], o.Frames)
	if dst.LaneBusy = dst.LaneBusy[:0]; v.rows.View.Lane != 0 {
		dst.LaneBusy = v.store.Past.Append(dst.LaneBusy, v.rows.Looker.FollowLane(v.rows.View.Lane).Busy, 0, o.Frames)
	}
	if dst.Series = dst.Series[:0]; o.Series > 0 {
		dst.Series = v.rows.AppendTopSeries(dst.Series, o.Frames, o.Series, o.Keep, o.Also)
	}
	v.rows.FillPast(&dst.Past, o.Past, dst.Series, dst.Report.Frame.Age)
	dst.Tree = v.rows.AppendTree(dst.Tree[:0], &v.rows.View)
	v.snapshotChanges(dst)
	if dst.Measured = false; dst.Report.Frame.Frames == 0 {
		dst.totals = v.session.sums.append(dst.totals[:0])
		dst.Measured = len(dst.totals) > 1
	}
	dst.Pictures = v.store.AppendPictures(dst.Pictures[:0])
	v.snapshotParts(dst, o)
	dst.Zones = v.store.Zones // the unfinished first frame may have brought new zones
	v.snapshotHistories(dst, o)
}

// snapshotChanges fills in the zones whose self time is another than in the baseline.
func (v *View) snapshotChanges(dst *Snapshot) {
	if dst.Changed = dst.Changed[:0]; !dst.Report.Baseline.Pinned {
		return
	}
	dst.Changed = slices.Grow(dst.Changed, len(v.store.Zones))[:len(v.store.Zones)]
	clear(dst.Changed)
	of := v.rows.View
	of.Mode, of.Lens = report.ReportSelfTime, of.LensInForce()
	of.Filter, of.Hidden = "", nil
	dst.flat.Want = report.ColumnsOf(report.ColumnDeviation)
	v.rows.Build(&dst.flat, &of)
	dst.flat.MarkChanged(dst.Changed)
}

// snapshotHistories fills in the histories of the records that are in sight.
func (v *View) snapshotHistories(dst *Snapshot, o SnapshotOptions) {
	dst.UntilAge, dst.inSight = dst.untilAge(), dst.inSight[:0]
	if o.InSight != nil {
		dst.inSight = o.InSight(dst.inSight)
	} else {
		for i := range dst.Report.Records {
			dst.inSight = append(dst.inSight, int32(i))
		}
	}
	dst.place()
	dst.Histories, dst.HistoryFrames = v.rows.AppendHistories(dst.Histories[:0], dst.Report.Records, dst.inSight,
		dst.UntilAge, o.History)
}

// place gives each chosen record its own place in Histories, and drops indices out of range.
func (p *Snapshot) place() {
	n := len(p.Report.Records)
	p.places = slices.Grow(p.places[:0], n)[:n]
	clear(p.places)
	kept := p.inSight[:0]
	for _, i := range p.inSight {
		if i >= 0 && int(i) < len(p.places) && p.places[i] == 0 {
			kept = append(kept, i)
			p.places[i] = int32(len(kept))
		}
	}
	p.inSight = kept
}

// snapshotParts fills the parts that are not on every screen.
func (v *View) snapshotParts(dst *Snapshot, o SnapshotOptions) {
	if o.Overview {
		v.store.FillOverview(&dst.Overview)
	}
	if o.Values {
		dst.Values = v.store.AppendValueSeries(dst.Values[:0], o.Frames)
	}
	if o.Lanes {
		dst.Lanes = v.rows.AppendShownLanes(dst.Lanes[:0])
	}
	if o.Slowest {
		dst.Slowest = v.store.AppendRanked(dst.Slowest[:0])
	}
	if o.Around {
		v.rows.Around(&dst.Around, &dst.Report, o.Frames, o.Calls)
		v.snapshotHot(&dst.Around)
	}
	if dst.Parts = dst.Parts[:0]; o.Parts && dst.Report.Verdict.Found() {
		dst.Parts = v.rows.Looker.AppendParts(dst.Parts, &dst.Report.Verdict, &v.rows.View)
	}
	var shown []timeline.Frame
	if o.Timeline {
		first, last := v.store.TimelineShown(&v.rows.View)
		dst.Timeline.Update(v.store.Reader().Speak(), &v.store.States, first, last, v.rows.View.Lane, o.TimelineFrom,
			o.TimelineTo)
		dst.Timeline.Silent = v.store.Fed && v.store.Timeline.Source == nil
		shown = dst.Timeline.Frames
	}
	dst.Marks = v.store.AppendMarksInSight(dst.Marks[:0], &dst.Past, shown)
}

// untilAge returns the age of the viewed frame if it is in the history, else 0.
func (p *Snapshot) untilAge() int {
	if i := &p.Report.Frame; i.Age < len(p.Frames) && !i.Gone && !i.Kept && i.Lens.Kind == report.LensOff {
		return max(i.Age, 0)
	}
	return 0
}

// History returns the hierarchical time of record i in the frames up to the viewed one, in ms, oldest first. It is NaN
// where it is not known. History is nil without SnapshotOptions.History, for records that SnapshotOptions.InSight did
// not choose, and for an index out of range.
func (p *Snapshot) History(i int) []float32 {
	if p.places != nil {
		if i < 0 || i >= len(p.places) {
			return nil
		}
		i = int(p.places[i]) - 1
	}
	if at := i * p.HistoryFrames; i >= 0 && p.HistoryFrames > 0 && at+p.HistoryFrames <= len(p.Histories) {
		return p.Histories[at : at+p.HistoryFrames]
	}
	return nil
}

// Zone describes a zone. Ids out of range have the zero ZoneInfo.
func (p *Snapshot) Zone(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(p.Zones) {
		return gather.ZoneInfo{}
	}
	return p.Zones[id]
}
