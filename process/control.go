package process

import (
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// SetColumns chooses the columns of text reports. Without arguments, the report mode chooses them. Columns of single
// calls have values for zones with SetPerCall, and for all zones while SetEvents keeps events; other rows show "-". The
// table of the viewer has its own choice. Any goroutine may call it.
func (v *View) SetColumns(columns ...report.Column) {
	v.adjust(func(r *report.View) { r.Columns = report.ColumnsOf(columns...) })
}

// PinBaseline makes the viewed frame or average, of the viewed lane, the baseline, and starts to compare reports with
// it. Reset keeps the baseline. Without a frame it does nothing. Any goroutine may call it.
func (v *View) PinBaseline() {
	v.change()
	defer v.unlock()
	v.rows.PinBaseline()
}

// SetReportMode chooses the report. Modes beyond the last are the last. The cursor stays on its zone. ReportExtra opens
// with the cursor on the zone of the cause.
func (v *View) SetReportMode(m report.ReportMode) {
	v.change()
	defer v.unlock()
	before := v.rows.View.Mode
	v.rows.View.Mode = m
	if v.rows.Clamp(&v.rows.View); v.rows.View.Mode == report.ReportExtra && before != report.ReportExtra {
		v.rows.OpenExtra()
	}
}

// SetAverage chooses how the newest frame's values are smoothed. Averages beyond the last are AverageInstant.
func (v *View) SetAverage(a report.Average) { v.adjust(func(r *report.View) { r.Average = a }) }

// SetRecursion chooses how recursive zones are shown. Values beyond the last are RecursionSpread.
func (v *View) SetRecursion(r report.Recursion) {
	v.adjust(func(to *report.View) { to.Recursion = r })
}

// SetLane shows one lane, or all lanes merged if id is 0. An unknown lane has an empty report until the lane appears.
func (v *View) SetLane(id report.LaneID) { v.adjust(func(r *report.View) { r.Lane = id }) }

// PinPath limits every row to stacks that have these zones in this order, outermost first. Other zones may lie between
// them. Without zones, all stacks count again.
func (v *View) PinPath(zones ...report.ZoneID) {
	pin := slices.Clone(zones)
	v.adjust(func(r *report.View) { r.Pin = pin })
}

// SetFrame shows the frame of an age: 0 is the newest, with the chosen average, 1 the frame before it. Ages out of
// range are clamped to the history. If a recording has more frames than the history (see HistoryLimits), the range is
// the whole recording: the history then holds the frames around the one shown, and ages below 0 are newer than its
// newest frame. SetFrame switches the lens off. If the frame is slow, the cursor goes to the zone of the cause, as
// after every change of the frame shown: see Verdict.
func (v *View) SetFrame(age int) {
	v.look(func(r *report.View) { r.Age, r.Kept, r.Lens = age, 0, report.Lens{} })
}

// MoveFrame moves by delta frames: -1 is one frame older. It stops at the ends of the history, or of the recording,
// and switches the lens off.
func (v *View) MoveFrame(delta int) {
	delta = min(max(delta, -history.MaxFrames), history.MaxFrames)
	v.look(func(r *report.View) { r.Age, r.Kept, r.Lens = r.Age-delta, 0, report.Lens{} })
}

// MoveToOverBudget goes to the next older (dir < 0) or newer frame that was over budget. With View.Lane it goes to a
// frame in which this lane was busy for longer than the budget. If there is no such frame, the view stays.
func (v *View) MoveToOverBudget(dir int) {
	v.change()
	defer v.unlock()
	v.rows.SeenLane(&v.rows.View)
	step := 1
	if dir > 0 {
		step = -1
	}
	for age := v.rows.View.Age + step; ; age += step {
		p := v.store.Past.Age(age)
		if p == nil {
			v.showOver(-step, age)
			return
		}
		if v.rows.Looker.Summary(p.Seq, v.rows.View.Lane).Over {
			v.rows.View.Age, v.rows.View.Kept, v.rows.View.Lens = age, 0, report.Lens{}
			v.rows.Follow()
			return
		}
	}
}

// SetCursor highlights a record. 0 is the first; rows out of range are clamped to the report. The highlight stays on
// that record when it moves in later frames, and on its zone in other reports.
func (v *View) SetCursor(row int) {
	v.change()
	defer v.unlock()
	v.rows.Point(func(int) int { return row })
}

// SetCursorZone highlights the first record of a zone. If the zone has no record, the highlight stays.
func (v *View) SetCursorZone(zone report.ZoneID) {
	v.change()
	defer v.unlock()
	v.rows.PointZone(zone)
}

// MoveCursor moves the highlight down by delta lines of the report, up if delta is negative. It stops at the ends.
func (v *View) MoveCursor(delta int) {
	v.change()
	defer v.unlock()
	v.rows.MoveCursor(delta)
}

// Select shows the call graph of the highlighted record's zone, with the cursor on its row. Without records it does
// nothing.
func (v *View) Select() {
	v.change()
	defer v.unlock()
	v.rows.OpenCursor()
}

// SelectParent shows the call graph of the caller with the largest hierarchical time. In a call graph it takes the
// caller of the graph's zone, in other reports the caller of the highlighted zone. Without a caller it does nothing.
func (v *View) SelectParent() {
	v.change()
	defer v.unlock()
	v.rows.OpenParent()
}

// Arrange changes the arrangement of reports with a function. The function must not call the session. Any goroutine may
// call Arrange.
func (v *View) Arrange(change func(a *report.Arrangement)) {
	v.adjust(func(r *report.View) { change(&r.Arrangement) })
}

// SetLens sets the lens. Through a lens, each report shows means per frame over many frames, and Age and Average have
// no effect. The zero Lens is off. The cursor goes to the zone that causes the excess of these frames: see Verdict. Any
// goroutine may call it.
func (v *View) SetLens(l report.Lens) {
	v.look(func(r *report.View) {
		r.Lens = l
		if l.Kind != report.LensOff {
			r.Kept = 0
		}
	})
}

// ParseFrames returns the lens that a choice of frames means: [report.ParseFrames] with the sections of the session.
// Any goroutine may call it.
func (v *View) ParseFrames(words string) (report.Lens, error) {
	var now Snapshot
	v.Snapshot(&now, SnapshotOptions{Overview: true})
	return report.ParseFrames(words, now.Overview.Sections)
}

// ShowFrame shows the frame of an index (FrameSummary.Index), from the history or from the kept slowest, and switches
// the lens off. It reports whether there is such a frame; if not, the view stays. Any goroutine may call it.
func (v *View) ShowFrame(index uint64) bool {
	v.change()
	defer v.unlock()
	found := v.rows.ShowFrame(index)
	if from := v.session.frames.source(); !found && from != nil {
		var frame uint64
		if frame, found = from.Find(index); found {
			if found = v.show(frame); found {
				v.rows.View.Kept, v.rows.View.Lens = 0, report.Lens{}
			}
		}
	}
	v.rows.Follow()
	return found
}
