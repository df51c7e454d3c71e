package measure

import (
	"math"
	"sort"
	"strings"
	"time"

	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// Frame holds the measurements of one frame. It is the only data that goes from package measure to package process. It
// holds plain values and no pointer into live state. Collect and Peek reuse the memory of the Frame that they receive.
type Frame struct {
	Index          uint64         // frames since start, from 0
	Origin         Origin         // the run of the program, and its clock
	Label          string         // the label of BeginFrame, else ""
	Begin, End     platform.Ticks // on the clock of package platform
	Between        platform.Ticks // time before Begin outside of frames: from EndFrame to BeginFrame
	TicksPerSecond float64        // converts this frame's ticks to seconds
	Clock          Clock          // source of the times; zero in captures without it
	CPU            time.Duration  // processor time of the process in the frame, all threads; 0: unknown
	Away           Away           // time in which the goroutine that ended the frame had no processor
	Zones          []ZoneInfo     // by ZoneID; append-only and shared: entries never change, so it may be kept
	Lanes          []LaneFrame    // the lanes with activity in this frame
	Memory         MemoryFrame    // the Go heap and the garbage collector in this frame
	Counters       []CounterInfo  // the names of Count and Value, by number; append-only and shared like Zones
	Values         []CounterValue // the counters with a value in this frame, by number
	Marks          []MarkInfo     // the calls of Mark in this frame, by time
	States         []LaneState    // states that ended in this frame, or came late: see AddState
	Section        SectionInfo    // the last section open in this frame: see Section
	Remarks        []Remark       // the calls of Scope.Text and Scope.Value, by time; never changed, so it may be kept
	SlowCalls      []SlowCall     // calls over their zone's usual that ended in this frame: see Zone.SetPerCall
	ScopeCost      platform.Ticks // calibrated cost of one Begin/End pair, in 1/1024 ticks
	InsideCost     platform.Ticks // the part of ScopeCost within the zone's own time
	CountCost      platform.Ticks // cost of a pair that is only counted, in 1/1024 ticks
	OverheadLimit  float64        // the value of SetOverheadLimit: a share of the frame, 0 for none
	EventDriven    bool           // time outside zones is idle: see process.Session.SetEventDriven, which sets it
	Budgets        []ZoneBudget   // of zones, by zone: see process.Session.SetBudget, which sets them; never changed
	Misuse         Misuse         // since start
	Dropped        Dropped        // since start

	nodes  []Node      // the memory of all Lanes' Nodes
	extras []NodeExtra // the memory of all Lanes' Extras
}

// Origin identifies the frames that belong together: those of one run of a program, by one clock. Numbers of zones,
// counters, lanes and nodes mean the same in all of them, and their times can be added. Frames that a program makes by
// hand may all have the zero Origin.
type Origin struct {
	Program uint64 // drawn at random when the program starts. In captures without it, programs are numbered from 0
	Clock   uint32 // changes when the program replaces its clock: see platform.SetClock
}

// ZoneBudget is the time that a zone may take in a frame, including its callees.
type ZoneBudget struct {
	Zone   ZoneID
	Budget time.Duration // above 0
}

// Clock names the source of a frame's times, and the reason for the choice.
type Clock = platform.Choice

// The sources of a Clock, for packages that do not import package platform.
const (
	ClockCounter = platform.SourceCounter // the processor's counter
	ClockGo      = platform.SourceGo      // the Go runtime's
	ClockProgram = platform.SourceProgram // the program's own: see platform.SetClock
)

// ZoneInfo describes a zone. Zone 0 is the root: the time outside every other zone.
type ZoneInfo struct {
	Name     string // any UTF-8; may be empty
	Function string // that enters it, such as "main.step"; "" if unknown
	File     string // full path, "" if unknown
	Line     int    // 0 if unknown
	Public   bool   // a Zone variable; else a place in the source
	Idle     bool   // waiting, not work: not part of busy time
	Blocked  bool   // with Idle: it waits for a lock, a channel or a goroutine. It counts against the frame budget

	// Computes means that the zone's own code neither waits nor calls what may wait outside zones, known from its
	// source. So its self time is work, or time in which other goroutines or programs had the processors.
	Computes bool
}

// Site returns the file, without its folders, and the line: "file.go:12". It is "" for an unknown file.
func (z *ZoneInfo) Site() string { return sites.Line{File: z.File, Line: z.Line}.String() }

// FileName returns the file without its folders, "" if unknown.
func (z *ZoneInfo) FileName() string { return sites.Base(z.File) }

// Package returns the import path of the package of its function, else the folder of its file; "" if both are unknown.
func (z *ZoneInfo) Package() string {
	if f := z.Function; f != "" {
		slash := strings.LastIndexByte(f, '/') + 1
		if dot := strings.IndexByte(f[slash:], '.'); dot >= 0 {
			f = f[:slash+dot]
		}
		return f
	}
	if i := strings.LastIndexAny(z.File, `/\`); i > 0 {
		return sites.Base(z.File[:i])
	}
	return ""
}

// Owner tells zones of one name apart. It is the same in each run of a program: the function of a private zone, the
// package of a public one. It is not the function of a public zone, because chance decides which function enters that
// first.
func (z *ZoneInfo) Owner() string {
	if z.Public {
		return z.Package()
	}
	return z.Function
}

// LaneFrame is one lane's part of a frame.
type LaneFrame struct {
	ID              LaneID         // never reused in a process; 0 is the lane "(earlier goroutines)"
	Name            string         // see Lane.Name; merged lanes: "main.serve server.go:42 (ended)" or "(parked)"
	Goroutine       uint64         // the runtime's number of its latest goroutine; 0 if unknown
	Updater, Device bool           // its goroutine ended the frame; it is a GPU's or another device's: see ForeignLane
	Drift           float64        // of a device's clock: see ForeignLane.Drift
	Begin, End      platform.Ticks // the time that Nodes cover; End-Begin is the sum of their Self
	Untimed         uint64         // entries that were counted only: see SetOverheadLimit and SetMuted
	CPU             time.Duration  // processor time of its goroutine's OS thread; 0: not locked to a thread, or unknown
	Slow            platform.Ticks // time of slow paths (starts of lanes, first entries of stacks) and Update
	ScopeCost       platform.Ticks // as Frame.ScopeCost, but measured in place by the governor; 0: unknown: see CostsOn
	CountCost       platform.Ticks // as Frame.CountCost, but measured in place
	Nodes           []Node         // nodes that changed or are open, and their ancestors, parents first; 0: the root
	Extras          []NodeExtra    // the rare sums of Nodes, in the order of the nodes

	rest stretch // before Begin: see sum.addLane
}

// stretch is a stretch of time.
type stretch struct{ from, to platform.Ticks }

// Extra returns the rare sums of node i, all 0 for most nodes. Any i is allowed.
func (l *LaneFrame) Extra(i int) NodeExtra {
	if at, found := findExtra(l.Extras, int32(i)); found {
		return l.Extras[at]
	}
	return NodeExtra{Node: int32(i)}
}

// findExtra returns the index of a node's extra, or where to insert it.
func findExtra(extras []NodeExtra, node int32) (at int, found bool) {
	at = sort.Search(len(extras), func(i int) bool { return extras[i].Node >= node })
	return at, at < len(extras) && extras[at].Node == node
}

// CostsOn returns the cost of a timed pair and of a counted pair on a lane of the frame, in 1/1024 ticks. The governor
// measures these costs in place; without its measurements they are the calibrated ones. The cost of counting includes
// the choice of entries to time.
func (f *Frame) CostsOn(l *LaneFrame) (scope, count platform.Ticks) {
	if l.ScopeCost > 0 {
		return l.ScopeCost, l.CountCost
	}
	return f.ScopeCost, f.CountCost
}

// Node holds the sums of one distinct stack of zones in a frame. It takes only 32 bytes, because a frame has many.
// NodeExtra holds rare sums.
type Node struct {
	Self      platform.Ticks // self time; may be a few ticks below 0, which the next frame corrects
	ID        NodeID         // dense and stable while the lane lives
	Zone      ZoneID         // index into Frame.Zones
	Parent    int32          // index into the same Nodes, -1 for the root
	Depth     int32          // ancestors of the same zone: 0 for a first entry, 1 for its recursion
	Count     uint32         // entries begun in this frame
	Open      bool           // whether an entry was open when the frame ended
	Estimated Estimated
}

// add adds another node of the same zone and parent.
func (n *Node) add(o *Node) {
	n.Self += o.Self
	n.Count += o.Count
	n.Open = n.Open || o.Open
	n.Estimated = max(n.Estimated, o.Estimated)
}

// Estimated tells whether a node's time is an estimate: see SetOverheadLimit and SetMuted.
type Estimated uint8

// Sign returns the sign that reports show before a name: "" or "~". A value out of range has "~".
func (e Estimated) Sign() string { return [...]string{"", "~"}[min(e, EstimatedTime)] }

// The kinds of estimates.
const (
	EstimatedNone Estimated = iota
	EstimatedTime           // the time is estimated; shown by "~"; see NodeExtra.Variance
)

// NodeExtra holds the rare sums of a node.
type NodeExtra struct {
	Node       int32  // index into LaneFrame.Nodes
	More       uint32 // entries beyond Node.Count, in units of 1<<32; only in very long frames
	Errors     uint64 // clock steps and repairs on this node
	Allocs     uint64 // calls of Alloc charged here
	AllocBytes uint64
	Frees      uint64
	FreeBytes  uint64
	Units      uint64 // of work: see the function Units
	HeapObjects,
	HeapBytes uint64 // allocated on the Go heap, about: see MemoryHeapPerZone
	Estimated Estimated // the node's Estimated
	Variance  float64   // of Self, in ticks squared: the square of the standard error of an estimate
}

// Event is the beginning or the end of a scope.
type Event struct {
	Time  platform.Ticks // on the clock of package platform
	Zone  ZoneID         // index into Frame.Zones
	Node  NodeID         // Node.ID; inside a Hold it is in no frame
	Level int32          // number of enclosing open scopes: 0 is outermost
	End   bool           // the end of a scope, else its beginning
}

// counts returns pointers to the counts.
func (x *NodeExtra) counts() [8]*uint64 {
	return [...]*uint64{&x.Errors, &x.Allocs, &x.AllocBytes, &x.Frees, &x.FreeBytes, &x.Units, &x.HeapObjects,
		&x.HeapBytes}
}

// Add adds the sums of another node or of another frame. Node stays. Counts stay at the largest uint64.
func (x *NodeExtra) Add(o *NodeExtra) {
	to := x.counts()
	for i, n := range o.counts() {
		*to[i] += min(*n, math.MaxUint64-*to[i])
	}
	x.More += o.More
	x.Estimated = max(x.Estimated, o.Estimated)
	x.Variance += o.Variance
}

// CounterInfo describes a count or a level.
type CounterInfo struct {
	Name  string // any UTF-8
	Level bool   // set by Value, and kept until the next; else a sum of Count and CountN
}

// CounterValue is a counter's value in a frame: a sum that is not 0, or the latest level.
type CounterValue struct {
	Counter int32 // index into Frame.Counters
	Value   float64
}

// MemoryMode chooses how much of the program's memory use is measured. Each mode includes the ones before it.
type MemoryMode uint8

// The memory modes, from the cheapest. A program starts with MemoryHeapPerFrame.
//
// Go counts the heap of the whole program, and small objects only once their span is full. So a zone of
// MemoryHeapPerZone has allocations of all goroutines since the last reading, and one frame may have none of its own.
// Over many frames the errors are small beside what the program allocates. So reports show averages, lenses and sums,
// marked as estimates, and leave single frames out.
const (
	MemoryOff          MemoryMode = iota // nothing: Alloc and Free return at once
	MemoryOwn                            // the calls of Alloc and Free, by zone
	MemoryHeapPerFrame                   // and the Go heap, by frame: up to three readings of runtime/metrics a frame
	MemoryHeapPerZone                    // and the Go heap by zone, about: one reading for each Begin and each End
	NumMemoryModes     = iota
)

// String returns off, own, frame or zone. A value out of range is zone.
func (m MemoryMode) String() string {
	return [...]string{"off", "own", "frame", "zone"}[min(m, MemoryHeapPerZone)]
}

// Misuse counts the host's mistakes since start. They do the host no harm. Folding (see Dropped.Nodes) makes ExtraEnd
// and MissingEnd lower bounds: scopes inside a folded one cannot be told apart.
type Misuse struct {
	ExtraEnd    uint64   // End of a scope that is not open, such as a second End
	MissingEnd  uint64   // a scope still open when an outer one, or its goroutine, ended
	OtherLane   uint64   // End on another goroutine than Begin's; unknown, thus 0, in builds without assembly
	ClockBack   uint64   // the clock ran backwards
	ClockJump   uint64   // frames in which one of two clocks stood still for over a second
	DeferInLoop uint64   // a scope ended by a defer in a loop
	Notes       []string // at most 8 sentences with the zone, file and line of the latest mistakes
}

// Dropped counts the omissions from the measurements since start, because of limits.
type Dropped struct {
	Names    uint64 // entries folded into "(other)": Limits.Zones or Limits.NamesAtPlace
	Nodes    uint64 // entries folded into "(other)": the limits of nodes and depth
	Lanes    uint64 // entries on goroutines beyond Limits.Lanes
	Events   uint64 // overwritten events
	Counters uint64 // calls of Count and Value with names beyond Limits.Counters
	Marks    uint64 // calls of Mark beyond MaxMarks in a frame
	States   uint64 // calls of AddState beyond MaxStates in a frame
	Slow     uint64 // slow calls beyond MaxSlowCalls in a frame
	Remarks  uint64 // calls of Scope.Text and Scope.Value beyond MaxRemarks or MaxRemarkBytes in a frame

	LongNames uint64 // names of zones, lanes and counters cut to 1,024 bytes
	Memory    uint64 // allocations beyond Limits.Bytes
	Foreign   uint64 // scopes of foreign lanes without times: lost by the GPU, or beyond a limit
	Late      uint64 // scopes of foreign lanes counted in a later frame than that of their issue
}

// maxCallBytes limits the memory of all histograms of Zone.SetPerCall, in bytes. Calls.Missing counts calls beyond it.
const maxCallBytes = histogram.MaxBytes

// Calls holds the durations of single calls of one distinct stack of zones.
type Calls struct {
	Lane       LaneID // LaneFrame.ID
	Node       NodeID // Node.ID
	Zone       ZoneID // index into Frame.Zones
	FromEvents bool   // only the calls in the events in memory; else all calls
	Missing    uint64 // calls begun meanwhile but not in the histogram: overwritten, open, or without memory
	histogram.Histogram
}

// Sink receives each finished Frame. It may read the frame only until WriteFrame returns.
type Sink interface {
	WriteFrame(f *Frame) error
}
