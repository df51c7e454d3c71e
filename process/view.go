package process

// ReportMode chooses the report.
type ReportMode uint8

// The report modes.
const (
	SelfTime             ReportMode = iota // flat, sorted by self time
	HierarchicalTime                       // flat, sorted by hierarchical time
	CallGraph                              // parents, focus, children
	CallGraphDescendants                   // parents, focus, all descendants on its behalf
	CallTree                               // the whole merged tree, foldable
	Extra                                  // what is extra in slow frames: zones, and their paths, by their part of the excess
	NumReportModes       = iota
)

// Average chooses how values of the newest frame are smoothed.
type Average uint8

// The averages: no smoothing, 90 % of the weight in 0.8 s, and in 2.5 s. The zero View uses Short.
const (
	Short Average = iota
	Long
	Instant
)

// Recursion chooses how recursive zones are shown.
type Recursion uint8

// Flattened makes one row of a recursive zone, Spread one row of each depth.
const (
	Flattened Recursion = iota
	Spread
)

// LensKind chooses which frames a report is of.
type LensKind uint8

// The kinds of lens.
const (
	LensOff      LensKind = iota // the one frame, or the moving average, that Age and Average choose
	LensAll                      // every frame of the history
	LensOver                     // those over budget
	LensWithin                   // those within budget
	LensSlowest                  // the slowest so many
	LensRange                    // from one frame to another
	NumLensKinds = iota
)

// Lens chooses frames of the history; a report through it shows means per frame. The zero Lens is off.
type Lens struct {
	Kind     LensKind
	Slowest  int    // of LensSlowest; below 1 is 16
	From, To uint64 // of LensRange: FrameSummary.Index, both included, in either order
}

// View is what the user looks at. The zero View is the default: all lanes merged, self time, Short average, newest frame.
type View struct {
	Mode       ReportMode
	Average    Average
	Recursion  Recursion
	Age        int     // 0 = newest finished frame
	Cursor     int     // highlighted record
	Focus      int32   // zone of the call graph modes
	FocusDepth int     // spread recursion: which depth of Focus, 0 = the first
	Lane       uint64  // 0 = all lanes merged
	Pin        []int32 // zones of a pinned path, outermost first: count only what happened below it
	Lens       Lens    // the frames to sum up instead of the one of Age

	Kept    uint64    // 1 + FrameSummary.Index of a kept slow frame (AppendSlowest) to show instead of the one of Age; 0: none
	Columns ColumnSet // the columns of words and tables; none: those of the mode
}
