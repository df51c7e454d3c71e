package report

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
