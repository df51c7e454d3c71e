package iprof

import "example.com/iprof/process"

// ReportMode chooses which report is shown.
type ReportMode = process.ReportMode

// The report modes.
const (
	ReportSelfTime             = process.ReportSelfTime             // flat, sorted by self time
	ReportHierarchicalTime     = process.ReportHierarchicalTime     // flat, sorted by hierarchical time
	ReportCallGraph            = process.ReportCallGraph            // callers, one zone, callees
	ReportCallGraphDescendants = process.ReportCallGraphDescendants // callers, one zone, all it calls
	ReportCallTree             = process.ReportCallTree             // everything, as a tree
	ReportExtra                = process.ReportExtra                // what is extra in slow frames
)

// Average chooses how the newest frame's values are smoothed.
type Average = process.Average

// The averages: none; 90 % of the weight in 0.8 s (the default); 90 % in 2.5 s.
const (
	AverageInstant = process.AverageInstant
	AverageShort   = process.AverageShort
	AverageLong    = process.AverageLong
)

// Recursion chooses how recursive zones are shown.
type Recursion = process.Recursion

// The ways to show recursion: one row a zone (the default), or one row a depth.
const (
	RecursionFlattened = process.RecursionFlattened
	RecursionSpread    = process.RecursionSpread
)

// SetReportMode chooses the report. It starts as ReportSelfTime. Like all functions that steer the view, it may be
// called from any goroutine, changes what is shown and not what is measured, and clamps values out of range.
func SetReportMode(m ReportMode) {
	if Enabled {
		process.Default().SetReportMode(m)
	}
}

// MoveCursor moves the highlighted row down by delta rows, up if delta is negative. It stops at the first and the
// last row.
func MoveCursor(delta int) {
	if Enabled {
		process.Default().MoveCursor(delta)
	}
}

// Select shows the call graph of the highlighted row's zone. Without a highlighted row it does nothing.
func Select() {
	if Enabled {
		process.Default().Select()
	}
}

// SelectParent shows the call graph of the caller with the largest hierarchical time. Without a caller it does
// nothing.
func SelectParent() {
	if Enabled {
		process.Default().SelectParent()
	}
}

// MoveFrame moves through the history by delta frames: -1 is one frame older, +1 one newer. It stops at the ends.
func MoveFrame(delta int) {
	if Enabled {
		process.Default().MoveFrame(delta)
	}
}

// SetFrame shows the frame of an age. 0 is the newest frame, with the chosen average. 1 is the frame before it, and
// so on; these are shown as they were. Ages beyond the history show its oldest frame.
func SetFrame(age int) {
	if Enabled {
		process.Default().SetFrame(age)
	}
}

// SetAverage chooses how the newest frame's values are smoothed. It starts as AverageShort.
func SetAverage(a Average) {
	if Enabled {
		process.Default().SetAverage(a)
	}
}

// SetRecursion chooses how recursive zones are shown. It starts as RecursionFlattened.
func SetRecursion(r Recursion) {
	if Enabled {
		process.Default().SetRecursion(r)
	}
}
