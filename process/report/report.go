package report

import (
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// Costly reports whether a line of the report has the sign "!".
func (r *Report) Costly() bool {
	if r == nil {
		return false
	}
	for i := range r.Len() {
		if row, _ := r.Line(i); row.Costly {
			return true
		}
	}
	return false
}

// SeeMarked ends the warning about the overhead if rows of the report have the sign "!". A screen without such rows
// leaves it out.
const SeeMarked = ": see the zones marked \"!\""

// subject returns the zone that a call graph is about, or -1.
func (r *Report) subject() ZoneID {
	if m := r.View.Mode; m == ReportCallGraph || m == ReportCallGraphDescendants {
		return r.View.Focus
	}
	return -1
}

// CompiledOut is the first warning of reports and dumps in programs built with the tag iprof_off.
const CompiledOut = "the profiler is compiled out (tag iprof_off): nothing was measured"

// This file reads the lines of a report: see Report.Lines.

// CursorRecord returns the record under the cursor, or nil.
func (r *Report) CursorRecord() *Record {
	if r.Cursor < 0 || r.Cursor >= len(r.Records) {
		return nil
	}
	return &r.Records[r.Cursor]
}

// Len returns the number of lines: see [Report.Lines].
func (r *Report) Len() int {
	if r.Lines == nil {
		return len(r.Records)
	}
	return len(r.Lines)
}

// Line returns the row on a line and the index of its record. The index is -1 for the heading of a package. The line
// must be in range.
func (r *Report) Line(line int) (row *Record, record int) {
	switch {
	case r.Lines == nil:
		return &r.Records[line], line
	case r.Lines[line] < 0:
		return &r.Packages[^r.Lines[line]].Record, -1
	}
	return &r.Records[r.Lines[line]], int(r.Lines[line])
}

// Package returns the package whose heading is on a line, or nil. The line must be in range.
func (r *Report) Package(line int) *PackageRow {
	if r.Lines == nil || r.Lines[line] >= 0 {
		return nil
	}
	return &r.Packages[^r.Lines[line]]
}

// LineOf returns the line of a record, or of the folded package with the record, or -1 if it is not shown.
func (r *Report) LineOf(record int) int {
	switch {
	case record < 0 || record >= len(r.Records):
		return -1
	case r.Lines == nil:
		return record
	}
	for line, i := range r.Lines {
		if int(i) == record || i < 0 && r.folds(^i, record) {
			return line
		}
	}
	return -1
}

// folds reports whether a folded package hides a record.
func (r *Report) folds(at int32, record int) bool {
	p := &r.Packages[at]
	return p.Folded && record >= 0 && record < len(r.ofRow) && r.ofRow[record] == int32(p.ID)
}

// Grouped reports whether the rows have headings.
func (r *Report) Grouped() bool {
	return r.View.Grouping != GroupingNone && r.View.Mode.Flat()
}

// Step returns the record that is a number of lines below a record, or above it if lines is negative. It stops at the
// ends, and skips headings of unfolded packages. From a hidden record it starts at the first line. Without lines it
// returns -1.
func (r *Report) Step(record, lines int) int {
	if r.Len() == 0 {
		return -1
	}
	line := r.LineOf(min(max(record, 0), len(r.Records)-1))
	if line < 0 && lines < 0 {
		line = 0
	}
	line = min(max(line+lines, 0), r.Len()-1)
	way := 1
	if lines < 0 && line > 0 {
		way = -1
	}
	for line+way >= 0 && line+way < r.Len() && r.heading(line) {
		line += way
	}
	if p := r.Package(line); p != nil {
		return p.First
	}
	_, at := r.Line(line)
	return at
}

// heading reports whether a line is a heading with its rows below it.
func (r *Report) heading(line int) bool {
	p := r.Package(line)
	return p != nil && !p.Folded
}

// Sign is the sign before the name of a record.
type Sign uint8

// The signs. The sign "!" may stand beside them: see [Record.Costly].
const (
	SignNone  Sign = iota
	SignOpen       // "+": has children, can be opened
	SignFocus      // "-": opened
)

// Report is the table for one view. Renderers only format it. Records and strings are valid until the next AppendReport
// into the same Report. One goroutine may use it at a time.
type Report struct {
	View     View
	Frame    FrameInfo
	Title    string   // "16.67 ms  60.0 fps  sort self  newest frame": the first title line
	Verdict  Verdict  // on the frame, if it is over budget or unusual: see Session.VerdictOfView
	Warnings []string // further title lines, the most important first: misuse, overhead, unstable timer
	Clock    string   // the sentence in Warnings about the clock, "" if there is nothing to say
	Tick     float64  // resolution of the clock, ms; 0 is not known
	Columns  []Column // the value columns, left to right
	Sorted   Column   // the column that the rows are sorted by; see also View.Order
	Records  []Record
	Values   []FrameValue // numbers of the frame as a whole: heap, counts and levels
	Marks    []FrameMark  // in the frame or the range of frames: see Session.Mark
	Cursor   int          // index of the highlighted record, clamped; -1 when there are no records
	Chosen   bool         // the user chose it; false if it is the first, or the cause of a verdict

	// Lines has an entry for each line, from the top: the index of a record, or ^i for the heading Packages[i]. If it
	// is nil, the lines are all Records in their order. Len, Line and Step read it.
	Lines    []int32
	Packages []PackageRow // in the order of their lines; empty unless Grouped
	Waits    bool         // ColumnWaiting is known: the session has states of lanes, and the view shows one frame
	Runnable bool         // ColumnRunnable is known, too: some of the states come from an execution trace
	Waited   bool         // ColumnWaited is known
	AtOnce   bool         // a zone has more time than a frame, because lanes were in it at once: see ColumnAtOnce
	Held     bool         // rows keep their places for a while although their order has changed: see Arranger.Steady
	Found    int          // number of rows that match View.Filter
	Baseline Baseline     // the baseline of Record.Delta; Pinned is false without a comparison

	// Want adds values to the records. Set it before AppendReport. Costly values are computed on request only.
	Want ColumnSet

	WantCalls bool       // fills Calls
	Calls     []*CallRow // of the zones that count each call, the most time first

	SlowCalls []*SlowCall // of the zones that count each call, oldest first: at most MaxSlowCalls
	SlowSeen  uint64      // slow calls since start or Reset
	Now       float64     // time of the end of the newest frame, in seconds: see SlowCall.Ended

	Memory Memory // for the code that fills the report

	lines []int32 // the memory of Lines
	ofRow []int32 // by record: the ID of its package, if rows are Grouped
}

// Memory holds buffers that a Report reuses, so that filling it again does not allocate. Readers leave it alone.
type Memory struct {
	Title  []byte // of Report.Title
	Chosen []Column
	States []StateTime // of Record.States
}

// AppendDepth appends a depth of recursion in the form that reports show after a name: " (3)". Measuring ends at
// measure.MaxRecursion, which is shown as " (128+)".
func AppendDepth(dst []byte, depth int) []byte {
	dst = strconv.AppendInt(append(dst, " ("...), int64(depth), 10)
	if depth == measure.MaxRecursion {
		dst = append(dst, '+')
	}
	return append(dst, ')')
}

// Record is one row of a Report.
type Record struct {
	Zone          ZoneID // zone id
	Path          int32  // path id of the merged call tree (for tree rows and sparklines), -1 for rows that sum several
	Package       string // of the function that enters the zone, "" if not known or if the row is not a zone
	Name          string // neither cut nor escaped: sinks do that
	Site          string // "file.go:12" if another zone has the same name, else ""
	Depth         int    // deepest recursion, or with RecursionSpread the row's; 0 without recursion: see AppendDepth
	Indent        int    // levels
	Sign          Sign
	Costly        bool                // "!": the overhead is above 10 % of the row
	Open          bool                // a scope was open at the end of the frame
	Idle          bool                // of an Idle zone: shown grey
	Values        [NumColumns]float64 // indexed by Column
	Mask          ColumnSet           // the values that the record has
	Estimated     gather.Estimated    // how the time is estimated, if it is: Estimated.Sign stands before the name
	StandardError float64             // of self time in the (newest) frame, ms; 0 if every entry was timed
	Budget        time.Duration       // of the zone in a frame, 0 without one: see Session.SetBudget
	Heat          float32             // 0..1: how fast the first column changes
	Delta         Delta               // from the baseline, in a report with a comparison
	States        []StateTime         // parts of the columns of states, and work for the collector; longest first
	Group         Group
}

// Group is the part of a call graph that a record belongs to.
type Group uint8

// The groups, from top to bottom of a call graph. Other reports have GroupFocus only.
const (
	GroupParent Group = iota
	GroupFocus
	GroupChild
)

// TreeNode is one path of the merged call tree of a frame. Children follow their parent, the largest hierarchical time
// first.
type TreeNode struct {
	Zone          ZoneID
	Path          int32 // stable id of the path
	Parent        int32 // index in the same slice, -1 for a root
	Level         int32 // number of paths above
	Count         float64
	Self          float64 // ms
	Hier          float64 // ms
	Idle          bool
	Open          bool
	Errors        uint64           // clock steps and repairs on this path
	Estimated     gather.Estimated // how the time is estimated, if it is: Estimated.Sign stands before the name
	StandardError float64          // of Self, ms; 0 if every entry was timed
	Left          int              // number of nodes below that the tree leaves out: see DumpOptions.Nodes
	LeftHier      float64          // their hierarchical time, ms
	Charges                        // allocations and units of work
}

// StateTime is the time in states of one kind and reason.
type StateTime struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Kind   gather.StateKind
	Reason string  // the reason of a wait; "" for other kinds
	Time   float64 // ms
}

// AppendTitle appends words for the state: "waiting for mutex". The reason is not escaped.
func (q *StateTime) AppendTitle(dst []byte) []byte {
	if dst = append(dst, q.Kind.String()...); q.Reason != "" {
		dst = append(append(dst, " for "...), q.Reason...)
	}
	return dst
}

// OverBudget reports whether the row takes longer than the zone's budget: see Session.SetBudget.
func (r *Record) OverBudget() bool {
	return r.Budget > 0 && r.Values[ColumnHier] > r.Budget.Seconds()*1000
}
