package report

import "cmp"

// Clamp brings a lens into range.
func (l *Lens) Clamp() {
	if l.Kind >= NumLensKinds {
		*l = Lens{}
	}
	l.Sum = l.Sums()
	if l.From > l.To {
		l.From, l.To = l.To, l.From
	}
}

// LensInForce returns the lens in force. ReportExtra needs a lens; its default is LensOver.
func (v *View) LensInForce() Lens {
	if v.Mode == ReportExtra && (v.Lens.Kind == LensOff || v.Lens.Kind == LensAll) {
		return Lens{Kind: LensOver}
	}
	return v.Lens
}

// Opened returns the view of the call graph of a zone, through the same lens. From ReportExtra it takes over the lens
// of that report, so the numbers stay the same.
func (v View) Opened(zone ZoneID) View {
	if v.Lens = v.LensInForce(); v.Lens.Kind != LensOff {
		v.Kept = 0
	}
	if v.Mode != ReportCallGraphDescendants {
		v.Mode = ReportCallGraph
	}
	v.Focus, v.FocusDepth = zone, 0
	return v
}

// Through reports whether a view has a lens in force.
func (v *View) Through() bool { return v.Lens.Kind != LensOff || v.Mode == ReportExtra }

// Frames returns the number of frames of LensSlowest: Slowest, or 16 if Slowest is below 1.
func (l *Lens) Frames() int { return cmp.Or(max(l.Slowest, 0), 16) }

// Sums reports whether values are sums over all frames, as a user asks of a run.
func (l *Lens) Sums() bool { return l.Sum && l.Kind == LensAll }

// Per returns the number by which sums over n frames are divided: n, at least 1, for means, else 1.
//
//go:noinline
func (l *Lens) Per(n int) float64 {
	if l.Sums() {
		return 1
	}
	return float64(max(n, 1))
}

// Takes reports whether a lens may choose a frame. For LensSlowest it is true for all frames.
func (l *Lens) Takes(p *FrameSummary) bool {
	if l.Undisturbed && p.Disturbed() {
		return false
	}
	switch l.Kind {
	case LensAll, LensSlowest:
		return true
	case LensOver:
		return p.Over
	case LensWithin:
		return !p.Over
	case LensRange:
		return l.From <= p.Index && p.Index <= l.To
	}
	return false
}

// ReportMode chooses the report.
type ReportMode uint8

// The report modes.
const (
	ReportSelfTime             ReportMode = iota // flat, sorted by self time
	ReportHierarchicalTime                       // flat, sorted by hierarchical time
	ReportCallGraph                              // parents, focus, children
	ReportCallGraphDescendants                   // parents, focus, all descendants
	ReportCallTree                               // the merged call tree, foldable
	ReportExtra                                  // zones and paths by their excess in slow frames
	NumReportModes             = iota
)

// Flat reports whether a report has one row for each zone.
func (m ReportMode) Flat() bool { return m == ReportSelfTime || m == ReportHierarchicalTime }

// Average chooses how the values of the newest frame are smoothed.
type Average uint8

// The averages. The zero View has AverageShort.
const (
	AverageShort   Average = iota // 90 % of the weight in the last 0.8 s
	AverageLong                   // 90 % of the weight in the last 2.5 s
	AverageInstant                // no smoothing
)

// Recursion chooses how recursive zones are shown.
type Recursion uint8

// The ways to show recursion.
const (
	RecursionFlattened Recursion = iota // one row for a recursive zone
	RecursionSpread                     // one row for each depth
)

// LensKind chooses the frames of a report.
type LensKind uint8

// The kinds of lens.
const (
	LensOff      LensKind = iota // the frame or the moving average that Age and Average choose
	LensAll                      // every frame of the history
	LensOver                     // frames over budget
	LensWithin                   // frames within budget
	LensSlowest                  // the slowest frames: see Lens.Slowest
	LensRange                    // a range of frames: see Lens.From
	NumLensKinds = iota
)

// Lens chooses frames of the history. A report through it shows means per frame, or sums. The zero Lens is off.
type Lens struct {
	Kind     LensKind
	Slowest  int    // number of frames of LensSlowest; below 1 is 16
	From, To uint64 // FrameSummary.Index of LensRange, both included, in either order

	Sum bool // values are sums over all frames, not means per frame; only for LensAll

	Undisturbed bool // it leaves out disturbed frames, and frames that are in a file only: see FrameSummary.Disturbed
}

// View chooses the content of a report. The zero View is the default: all lanes merged, self time, AverageShort, newest
// frame.
type View struct {
	Mode       ReportMode
	Average    Average
	Recursion  Recursion
	Age        int      // 0 is the newest finished frame
	Cursor     int      // index of the highlighted record
	Focus      ZoneID   // zone of the call graph modes
	FocusDepth int      // with RecursionSpread the depth of Focus, 0 is the first
	Lane       LaneID   // 0 is all lanes merged
	Pin        []ZoneID // zones of a pinned path, outermost first: only time below the path counts
	Lens       Lens     // frames to show the mean of, instead of the frame of Age

	Arrangement // order and filter of the rows, and the comparison with a baseline

	Kept    uint64    // 1 + FrameSummary.Index of a kept slow frame to show: see AppendSlowest; 0: the frame of Age
	Columns ColumnSet // columns of text reports; if empty, the columns of the mode

}

// Chooses reports whether a frame is one of the lens's frames. shown says that the report shows this frame.
func (l *Lens) Chooses(f *FrameSummary, shown bool) bool {
	if l.Undisturbed && f.Disturbed() {
		return false
	}
	switch l.Kind {
	case LensAll:
		return true
	case LensOver, LensWithin:
		return f.Over == (l.Kind == LensOver)
	case LensRange:
		return f.Index >= min(l.From, l.To) && f.Index <= max(l.From, l.To)
	}
	return shown
}
