package process

import (
	"time"

	"example.com/iprof/gather"
)

// Column is a value of a record, or a column of a table.
type Column uint8

// The columns a report can have. Times are milliseconds per frame, or per call in the columns of calls.
//
// Statistics of frames, over the history and since Reset, exist for all lanes merged, for a zone as a whole or a path
// of the call tree. These rows have none, and show "-" (see Record.Mask): rows of a single lane (but they have those of
// calls, and ColumnMean and ColumnMax), of one depth of recursion, of a parent or child in a call graph, or below a
// pinned path, and the root of a tree.
const (
	ColumnSelf        Column = iota // self time, ms
	ColumnHier                      // hierarchical time, ms
	ColumnCount                     // entries
	ColumnSelfPercent               // self time in percent of the frame
	ColumnHierPercent               // hierarchical time in percent of the frame
	ColumnSelfPerCall               // self time per entry, ms
	ColumnHierPerCall               // hierarchical time per entry, ms
	ColumnMean                      // mean hierarchical time per frame over the history, ms
	ColumnMax                       // greatest hierarchical time of a frame in the history, ms
	ColumnMaxSelf                   // greatest self time of a frame in the history, ms
	ColumnMaxHold                   // greatest hierarchical time of a frame in the last 5 s, ms
	ColumnDeviation                 // standard deviation of hierarchical time over the history, ms
	ColumnP50                       // quantiles of hierarchical time per frame over the history, ms
	ColumnP90
	ColumnP99
	ColumnP999
	ColumnTicks  // hierarchical time in raw ticks
	ColumnAllocs // calls of Alloc
	ColumnAllocBytes
	ColumnFrees
	ColumnFreeBytes
	ColumnErrors // clock steps and repairs

	ColumnMin           // least hierarchical time of a frame in the history, ms
	ColumnMinSelf       // self time per frame over the history, ms: least,
	ColumnMeanSelf      // mean,
	ColumnDeviationSelf // standard deviation,
	ColumnP50Self       // and quantiles
	ColumnP90Self
	ColumnP99Self
	ColumnP999Self

	ColumnEverMin // hierarchical time per frame since start or Reset, ms; deviation and quantiles to 1 %
	ColumnEverMean
	ColumnEverMax
	ColumnEverDeviation
	ColumnEverP50
	ColumnEverP90
	ColumnEverP99
	ColumnEverP999
	ColumnEverMinSelf // self time per frame since start or Reset, ms
	ColumnEverMeanSelf
	ColumnEverMaxSelf
	ColumnEverDeviationSelf
	ColumnEverP50Self
	ColumnEverP90Self
	ColumnEverP99Self
	ColumnEverP999Self

	ColumnCallMin // duration of single calls, ms: see Session.SetColumns for when there are any
	ColumnCallMax
	ColumnCallDeviation
	ColumnCallP50
	ColumnCallP90
	ColumnCallP99
	ColumnCallP999
	ColumnCallsCounted // calls in the seven statistics above
	ColumnCallsMissing // calls missing in them: open ones, overwritten events, or beyond the limit of memory

	ColumnExtraSelf    // self time in slow frames less self time in the others, ms: see ReportExtra
	ColumnExtraHier    // the same for hierarchical time, ms
	ColumnExtraPercent // ColumnExtraSelf in percent of the difference in busy time

	ColumnUnits       // units of work: see iprof.Units
	ColumnPerUnit     // hierarchical time per unit, ns
	ColumnHeapObjects // allocated on the Go heap, in MemoryHeapPerZone
	ColumnHeapBytes
	ColumnAtOnce   // lanes that were in the zone at the same time, on average: hierarchical time by the frame's length
	ColumnWaiting  // of hierarchical time in a single frame: its goroutine waited, ms. See Record.States
	ColumnRunnable // the same: it wanted a processor and had none, ms
	NumColumns     = iota
)

// Mark is the sign before the name of a record.
type Mark uint8

// The marks. The sign "!" may stand beside them: see Record.Costly.
const (
	MarkNone  Mark = iota
	MarkOpen       // "+": has children, can be opened
	MarkFocus      // "-": opened
)

// Report is the table for one view. Renderers only format it. Records and strings are valid until the next AppendReport
// into the same Report. One goroutine may use it at a time.
type Report struct {
	View     View
	Frame    FrameInfo
	Title    string   // "16.67 ms  60.0 fps  sort self  newest frame": the first title line
	Verdict  Verdict  // on the frame, if it is over budget or unusual: see Session.VerdictOfView
	Warnings []string // further title lines, most important first: misuse, overhead, unstable timer
	Columns  []Column // the value columns, left to right
	Sorted   Column   // the column that the rows are sorted by; see also View.Order
	Records  []Record
	Values   []FrameValue // numbers of the frame as a whole: heap, counts and levels
	Marks    []FrameMark  // in the frame or the range of frames: see Session.Mark
	Cursor   int          // index of the highlighted record, clamped; -1 when there are no records

	// Lines has an entry for each line, from the top: the index of a record, or ^i for the heading Packages[i]. If it
	// is nil, the lines are all Records in their order. Len, Line and Step read it.
	Lines    []int32
	Packages []PackageRow // in the order of their lines; empty unless Grouped
	Waits    bool         // ColumnWaiting is known: the session has states of lanes, and the view is of one frame
	Runnable bool         // ColumnRunnable is known, too: some of the states are of an execution trace
	AtOnce   bool         // lanes have been in a zone at once for longer than a frame: ColumnAtOnce tells how many
	Found    int          // number of rows that match View.Filter, if there is one
	Baseline Baseline     // the baseline of Record.Delta; not Pinned without a comparison

	Want ColumnSet // more values for the records, set before AppendReport. Costly ones are computed on request only

	title  []byte // the memory of Title
	chosen []Column
	states []StateTime // the memory of Record.States
	lines  []int32     // the memory of Lines
	ofRow  []int32     // by record: the ID of its package, if rows are Grouped
}

// Record is one row of a Report.
type Record struct {
	Zone          ZoneID // zone id
	Path          int32  // path id of the merged call tree (for tree rows and sparklines), -1 for rows that sum several
	Name          string // neither cut nor escaped: sinks do that
	Site          string // "file.go:12" if another zone has the same name, else ""
	Depth         int    // deepest recursion, or with RecursionSpread the row's depth; 0 is none. Drawn as "(n)"
	Indent        int    // levels
	Mark          Mark
	Costly        bool                // "!": the overhead is above 10 % of the row
	Open          bool                // a scope was open at the end of the frame
	Idle          bool                // of an Idle zone: shown grey
	Values        [NumColumns]float64 // indexed by Column
	Mask          ColumnSet           // the values that the record has
	Estimated     gather.Estimated    // how it is estimated, if it is: its Sign stands before the name
	StandardError float64             // of self time in the (newest) frame, ms; 0 if all of it was timed
	Age           float64             // of a muted zone (EstimatedCount): seconds since its measurement; else 0
	Budget        time.Duration       // of the zone in a frame, 0 for none: see Session.SetBudget
	Heat          float32             // 0..1: how fast the first column changes
	Delta         Delta               // from the baseline, in a report with a comparison
	States        []StateTime         // the parts of the columns of states, and work for the collector; longest first
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

// FrameInfo describes the frame of a report, or its average of frames.
type FrameInfo struct {
	Index              uint64
	Label              string
	Age                int           // 0 = newest
	Length             float64       // ms
	Busy               float64       // ms: Length less the idle zones of the updating lane
	Idle               float64       // ms in idle zones, and outside zones on lanes other than the updating one
	FPS                float64       // 1000/Length
	RunQueue, LockWait float64       // ms that all goroutines waited for a processor, and for locks
	CPU                float64       // ms of processor time, all threads; of one lane see LaneInfo.CPU; 0: not known
	GPU                float64       // ms in which the busiest GPU lane worked: see gather.LaneFrame.Device
	HasGPU             bool          // there is such a lane
	Joined             float64       // ms that the goroutine which ended it waited for others, as far as that is known
	Worker             string        // the one it waited for longest; "" for averages
	Budget             time.Duration // frame budget in force
	Over               bool          // Busy > 1.02 x budget
	Overhead           float64       // share of Length, 0..1: see Dump.Overhead
	MaxHold            float64       // ms: longest frame of the last 5 s
	P99                float64       // ms: 99th percentile of frame length over the history
	Paused             bool
	Recording          bool
	Live               bool   // age 0 and not paused
	Lane               string // "all goroutines" or the lane's name
	Average            Average
	Memory             gather.MemoryMode // in force: how much of the program's memory is measured
	Frames             uint64            // finished frames since start or Reset; 0 if Update was never called
	Gone               bool              // the chosen age has fallen out of the history
	Kept               bool              // one of the slowest frames, kept beyond the history
	Lens               Lens              // in force; unless it is LensOff, the numbers are means over LensFrames frames
	LensFrames         int               // frames that the lens chose
	LensLost           int               // frames that the lens chose but that have lost their records: left out
}

// FrameSummary is the summary of one frame: one bar of the history.
type FrameSummary struct {
	Index                uint64
	Label                string
	Length, Busy         float32 // ms
	Over                 bool
	Others               float32 // ms that the other goroutines were busy, OtherLanes in number; it may exceed Length
	OtherLanes           int32
	Cycles               uint32  // garbage collections in the frame
	Pause                float32 // pauses of the garbage collector, ms
	AllocBytes, HeapLive uint64
	AllocObjects         uint64
	HeapCost             float32           // ms spent on reading the heap
	Memory               gather.MemoryMode // how much of the program's memory was measured
	RunQueue, LockWait   float32           // ms that all goroutines waited for a processor, and for locks
	GPU                  float32           // ms in which the busiest GPU lane worked: see gather.LaneFrame.Device
	HasGPU               bool              // there is such a lane
	HasReport            bool              // its records are still there, so it has a report
}

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
	Estimated     gather.Estimated // how it is estimated, if it is: its Sign stands before the name
	StandardError float64          // of Self, ms; 0 if all of it was timed
	Left          int              // nodes below that the tree leaves out: see DumpOptions.Nodes
	LeftHier      float64          // their hierarchical time, ms
	Charges                        // allocations and units of work
}
