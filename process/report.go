package process

import (
	"time"

	"example.com/iprof/gather"
)

// Column is what a column of a report shows.
type Column uint8

// The columns a report can have. Times are milliseconds per frame, or per call where the name says so.
//
// Statistics of frames, over the history and since Reset, are kept of all lanes merged, and of a zone as a whole or a path of the
// call tree. The view of a single lane has none of them (calls it has), nor has a row of one depth of recursion, of a zone on
// behalf of another in the call graph, or below a pinned path, nor the root of a tree: they show "-" there, as a Record's Mask says.
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
	ColumnCallsCounted // calls that the seven above are of
	ColumnCallsMissing // calls that are not among them: overwritten events, open, or beyond the limit of memory

	ColumnExtraSelf    // self time in slow frames less that in the others, ms: see Extra
	ColumnExtraHier    // hierarchical time, the same
	ColumnExtraPercent // ColumnExtraSelf in percent of what the slow frames took longer

	ColumnUnits       // units of work, as Units said
	ColumnPerUnit     // hierarchical time per unit, ns
	ColumnHeapObjects // allocated on the Go heap, in HeapPerZone
	ColumnHeapBytes
	NumColumns = iota
)

// Mark is the sign before a record's name.
type Mark uint8

// The marks. MarkCostly stands beside the others, so a Record keeps it in Costly.
const (
	MarkNone  Mark = iota
	MarkOpen       // "+": has children, can be opened
	MarkFocus      // "-": opened
)

// Report is the table for one view. Renderers format it and compute nothing. Records and strings are valid until the next
// AppendReport into the same Report.
type Report struct {
	View     View
	Frame    FrameInfo
	Title    string   // "16.67 ms  60.0 fps  sort self  current frame": the first title line
	Warnings []string // further title lines, most important first: misuse, overhead, unstable timer
	Columns  []Column // the value columns, left to right
	Sorted   Column   // the one the records are sorted by
	Records  []Record
	Values   []FrameValue // numbers of the frame as a whole: the heap's, the program's counts and levels
	Cursor   int          // index of the highlighted record, clamped; -1 when there are no records

	// Want is for whoever asks to set beforehand: values that records are to have besides the usual ones. What is dear is worked
	// out only if it, or View.Columns, asks for it.
	Want ColumnSet

	title  []byte // behind Title
	chosen []Column
}

// Record is one row of a Report.
type Record struct {
	Zone          int32  // zone id
	Path          int32  // path id of the merged call tree (for tree rows and sparklines), -1 for rows that sum several
	Name          string // never cut or escaped: sinks do that
	Site          string // "file.go:12" where equal names need telling apart, else ""
	Depth         int    // deepest recursion (flattened) or the depth shown (spread); 0 = none. Drawn as "(n)"
	Indent        int    // levels
	Mark          Mark
	Costly        bool                // "!": measuring costs over 10 % of the row
	Open          bool                // a scope was open at the frame's end
	Idle          bool                // an Idle zone: shown grey
	Values        [NumColumns]float64 // indexed by Column
	Mask          ColumnSet           // the values to be shown
	Estimated     gather.Estimated    // what of it is estimated: its Sign stands before the name
	StandardError float64             // of self time in the frame (the newest, for averages), ms; 0 where all of it was timed
	Heat          float32             // 0..1, how fast the first column is changing
	Group         Group
}

// Group says which part of a call graph a record belongs to.
type Group uint8

// The groups, from top to bottom of a call graph. Flat reports have GroupFocus only.
const (
	GroupParent Group = iota
	GroupFocus
	GroupChild
)

// FrameInfo describes the frame (or average of frames) that a report is of.
type FrameInfo struct {
	Index      uint64
	Label      string
	Age        int           // 0 = newest
	Length     float64       // ms
	Busy       float64       // ms: Length less the updating lane's idle zones
	Idle       float64       // ms outside zones on lanes other than the updating one, and in idle zones
	FPS        float64       // 1000/Length
	Budget     time.Duration // frame budget in force
	Over       bool          // Busy > 1.02 x budget
	Overhead   float64       // share of Length that measuring costs, 0..1: see Dump.Overhead
	MaxHold    float64       // ms: longest frame of the last 5 s
	P99        float64       // ms: 99th percentile of frame length over the history
	Paused     bool
	Recording  bool
	Live       bool   // age 0 and not paused
	Lane       string // "all lanes" or the lane's name
	Average    Average
	Memory     gather.MemoryMode // how much is measured of the program's memory
	Frames     uint64            // finished frames since start or Reset; 0: Update was never called
	Gone       bool              // the chosen age has fallen out of the history
	Kept       bool              // one of the slowest frames, which are kept beyond the history
	Lens       Lens              // in force; of kind LensOff the rest of this is of one frame, else it is the mean of
	LensFrames int               // so many frames that the lens chose,
	LensLost   int               // while so many more have lost their records and are left out
}

// FrameSummary is one column of the history strip.
type FrameSummary struct {
	Index                uint64
	Label                string
	Length               float32 // ms
	Busy                 float32 // ms
	Over                 bool
	Cycles               uint32  // garbage collections in it
	Pause                float32 // their pauses, ms
	AllocBytes, HeapLive uint64
	AllocObjects         uint64
	HeapCost             float32           // ms: what reading the heap took
	Memory               gather.MemoryMode // what was measured of it
	HasReport            bool              // the full history still holds it
}

// Series is one zone's self time per frame, for the graph.
type Series struct {
	Zone      int32
	Name      string
	Idle      bool
	Values    []float32        // ms, oldest first; the last is age 0. NaN where the zone did not exist yet
	Estimated gather.Estimated // what of it is estimated in any of these frames: its Sign stands before the name
}

// TreeNode is one path of the merged call tree of the viewed frame. Children follow their parent, largest hierarchical
// time first; Level says how deep.
type TreeNode struct {
	Zone          int32
	Path          int32 // stable id of the path
	Parent        int32 // index in the same slice, -1 for a root
	Level         int32
	Count         float64
	Self          float64 // ms
	Hier          float64 // ms
	Idle          bool
	Open          bool
	Errors        uint64           // clock steps and repairs on this path
	Estimated     gather.Estimated // what of it is estimated: its Sign stands before the name
	StandardError float64          // of Self, ms; 0 where all of it was timed
	Charges                        // what it did besides
}

// LaneInfo names a lane that can be viewed.
type LaneInfo struct {
	ID   uint64
	Name string
	Self float64 // busy ms in the viewed frame
}
