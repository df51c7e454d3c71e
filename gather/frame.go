package gather

import (
	"cmp"
	"slices"
	"time"

	"example.com/iprof/platform"
)

// Frame is one frame's measurements: the only thing that travels from gather to process. It holds plain values and no
// pointer into live state. Collect and Peek reuse the memory of the Frame they are given.
type Frame struct {
	Index          uint64         // frames since start, from 0
	Label          string         // what BeginFrame was given, else ""
	Begin, End     platform.Ticks // the frame's borders on the clock of package platform
	Between        platform.Ticks // length of the gap before Begin that belongs to no frame (EndFrame to BeginFrame)
	TicksPerSecond float64        // the rate that turns this frame's ticks into seconds
	Zones          []ZoneInfo     // by zone id; append-only and shared: entries never change, so the header may be kept
	Lanes          []LaneFrame    // lanes with anything to tell in this frame
	Memory         MemoryFrame    // the Go heap's and the collector's part in this frame
	Counters       []CounterInfo  // what Count and Value were called for, by id; append-only and shared like Zones
	Values         []CounterValue // what of that this frame has, by id
	ScopeCost      platform.Ticks // calibrated cost of one Begin/End pair, in 1/1024 ticks
	InsideCost     platform.Ticks // how much of ScopeCost is in the zone's own time
	CountCost      platform.Ticks // the same of a pair that was counted and not timed: half of it, as processors hide some
	MuteCost       platform.Ticks // of one that was not even counted
	OverheadLimit  float64        // what SetOverheadLimit has set: a share of the frame, 0 for none
	Misuse         Misuse         // counted since start
	Dropped        Dropped        // counted since start

	nodes  []Node      // what Lanes have their Nodes in
	extras []NodeExtra // and their Extras
}

// ZoneInfo describes a zone. Zone 0 is the root: all that is outside every other zone.
type ZoneInfo struct {
	Name     string // any UTF-8; may be empty
	Function string // of the place it is entered at, when known: "main.step"
	File     string // full path, "" when not known
	Line     int    // 0 when not known
	Public   bool   // a Zone variable, as opposed to a place
	Idle     bool   // waiting, not work: kept out of busy time
}

// LaneFrame is one lane's part of a frame.
type LaneFrame struct {
	ID         uint64         // never reused in a process; 0 of lanes that ended and made room: "(earlier lanes)"
	Name       string         // as registered, else "goroutine lane N"
	Updater    bool           // the lane of the goroutine that ended the frame
	Begin, End platform.Ticks // between which Nodes were measured: the sum of their Self
	Untimed    uint64         // how many of the entries were counted and not timed: see SetOverheadLimit
	Muted      uint64         // and how many, besides, are believed to have been not even counted
	ScopeCost  platform.Ticks // Frame.ScopeCost and CountCost as they were found inside the program, where entries are counted and not timed;
	CountCost  platform.Ticks // both 0 elsewhere: see CostsOn
	Nodes      []Node         // Nodes[0] is the lane's root; a parent precedes its children; only nodes that changed or are open, and their ancestors
	Extras     []NodeExtra    // what few of the Nodes have besides, in their order
}

// Extra returns what node i has besides; all zero for most.
func (l *LaneFrame) Extra(i int) NodeExtra {
	at, found := slices.BinarySearchFunc(l.Extras, int32(i), func(x NodeExtra, i int32) int { return cmp.Compare(x.Node, i) })
	if !found {
		return NodeExtra{Node: int32(i)}
	}
	return l.Extras[at]
}

// CostsOn returns what a pair takes on one of the frame's lanes, timed and counted only, in 1/1024 ticks: as found there, else as
// calibrated. With counting goes what it takes to choose which entries are timed.
func (f *Frame) CostsOn(l *LaneFrame) (scope, count platform.Ticks) {
	if l.ScopeCost > 0 {
		return l.ScopeCost, l.CountCost
	}
	return f.ScopeCost, f.CountCost
}

// Node is what one distinct stack of zones did in a frame. It is 32 bytes, as frames have many: what few nodes have is a
// NodeExtra.
type Node struct {
	Self      platform.Ticks // signed: a torn read may leave a few ticks below 0, which the next frame corrects
	ID        uint32         // dense, stable while the lane lives; may be reused for another stack later, so check Zone and Parent
	Zone      int32          // index into Frame.Zones
	Parent    int32          // index into the same Nodes, -1 for the root
	Depth     int32          // same-zone ancestors: 0 for a first entry, 1 for its recursion
	Count     uint32         // entries begun in this frame
	Open      bool           // an entry was open when the frame ended
	Estimated Estimated
}

// Estimated says what of a node is estimated: see SetOverheadLimit.
type Estimated uint8

// Sign returns what is shown before the name of what is estimated: "", "~" or "≈".
func (e Estimated) Sign() string { return [...]string{"", "~", "≈"}[min(e, EstimatedCount)] }

// What of a node is estimated.
const (
	Exact          Estimated = iota
	EstimatedTime            // shown by "~"; NodeExtra.Variance says how well
	EstimatedCount           // and the number of entries: shown by "≈"
)

// NodeExtra is what a node did in a frame that most never do.
type NodeExtra struct {
	Node       int32  // index into LaneFrame.Nodes
	More       uint32 // times 1<<32 entries besides Node.Count: only of frames that last very long
	Errors     uint32 // clock steps and repairs on this node
	Allocs     uint64 // calls of Alloc charged here
	AllocBytes uint64
	Frees      uint64
	FreeBytes  uint64
	Units      uint64 // of work, as Units said
	HeapObjects,
	HeapBytes uint64 // allocated on the Go heap, in HeapPerZone
	Estimated Estimated // the node's
	Variance  float64   // of Self, in ticks squared, if it is estimated or has lost estimated time to what is below it
}

// CounterInfo describes a count, or a level.
type CounterInfo struct {
	Name  string // any UTF-8
	Level bool   // set by Value: it stays until it is set again; else summed up by Count
}

// CounterValue is what a frame has of a counter: the sum of its counts, if that is not 0, or its latest level, if it has one.
type CounterValue struct {
	Counter int32 // index into Frame.Counters
	Value   float64
}

// MemoryFrame is the Go heap's part in a frame, from runtime/metrics.
type MemoryFrame struct {
	AllocBytes, AllocObjects uint64         // allocated during the frame
	HeapLive                 uint64         // bytes in live objects when it ended
	Cycles                   uint32         // garbage collections that ended in it
	Pause                    time.Duration  // their stop-the-world pauses
	Mode                     MemoryMode     // what was measured; below HeapPerFrame all others are 0
	Cost                     platform.Ticks // what reading all this took
}

// Misuse counts what the host did wrong, since start. None of it harms the host.
type Misuse struct {
	ExtraEnd    uint64   // End with no such scope open (a second End included)
	MissingEnd  uint64   // a scope still open when an outer one, or its goroutine, ended
	OtherLane   uint64   // End on another goroutine than Begin's
	ClockBack   uint64   // the clock ran backwards
	ClockJump   uint64   // a frame longer than a second of suspended or stopped clock
	DeferInLoop uint64   // one place stacked up by a defer in a loop
	Notes       []string // at most 8 sentences that name zone, file and line of the latest kinds
}

// Dropped counts what limits kept out of the measurements, since start.
type Dropped struct {
	Names    uint64 // entries folded into "(other)": more than 1,024 names at one place
	Nodes    uint64 // entries folded into "(other)": node limits
	Lanes    uint64 // entries on goroutines beyond the lane limit
	Events   uint64 // overwritten events
	Counters uint64 // calls of Count and Value with more than 256 names
}

// Sink receives each finished Frame, which it may read only until WriteFrame returns.
type Sink interface {
	WriteFrame(f *Frame) error
}
