package iprof

import "example.com/iprof/process"

// ReportMode chooses the report.
type ReportMode = process.ReportMode

// The report modes.
const (
	SelfTime             = process.SelfTime             // flat, sorted by self time
	HierarchicalTime     = process.HierarchicalTime     // flat, sorted by hierarchical time
	CallGraph            = process.CallGraph            // callers, one zone, callees
	CallGraphDescendants = process.CallGraphDescendants // callers, one zone, all it calls
	CallTree             = process.CallTree             // everything, as a tree
	Extra                = process.Extra                // what is extra in slow frames
)

// Average chooses how the newest frame's values are smoothed.
type Average = process.Average

// The averages: none; 90 % of the weight in 0.8 s (the default); 90 % in 2.5 s.
const (
	Instant = process.Instant
	Short   = process.Short
	Long    = process.Long
)

// Recursion chooses how recursive zones are shown.
type Recursion = process.Recursion

// The ways to show recursion: one row a zone (the default), or one row a depth.
const (
	Flattened = process.Flattened
	Spread    = process.Spread
)

// SetReportMode chooses the report. Like every control here it may be called from any goroutine and acts on what is shown,
// not on what is measured; values out of range are clamped.
func SetReportMode(m ReportMode) { process.Default().SetReportMode(m) }

// MoveCursor moves the highlighted record down by delta rows (up when negative).
func MoveCursor(delta int) { process.Default().MoveCursor(delta) }

// SetCursor highlights a record; 0 is the first.
func SetCursor(row int) { process.Default().SetCursor(row) }

// Select opens the highlighted record's zone in the call graph.
func Select() { process.Default().Select() }

// SelectParent opens the parent with the largest hierarchical time, roughly like going up a directory.
func SelectParent() { process.Default().SelectParent() }

// MoveFrame moves through the history: -1 is one frame older, +1 one newer.
func MoveFrame(delta int) { process.Default().MoveFrame(delta) }

// SetFrame shows the frame of an age: 0 is the newest, with the chosen average; 1 the one before, and so on, as they were.
func SetFrame(age int) { process.Default().SetFrame(age) }

// SetAverage chooses how the newest frame's values are smoothed.
func SetAverage(a Average) { process.Default().SetAverage(a) }

// SetRecursion chooses how recursive zones are shown.
func SetRecursion(r Recursion) { process.Default().SetRecursion(r) }

// SetLane shows one lane, by Lane.ID; 0 shows all lanes merged.
func SetLane(id uint64) { process.Default().SetLane(id) }

// PinPath makes every row count only what happened below a path: on stacks that have these zones, in this order, outermost
// first; others may lie between. Zones are named by the ids of Record.Zone. Without any, everything counts again.
func PinPath(zones ...int32) { process.Default().PinPath(zones...) }
