package gather

import "example.com/iprof/internal/measure"

// Frame holds the measurements of one frame: plain values and no pointer into live state. Collect reuses the memory of
// the Frame that it receives.
type Frame = measure.Frame

// Sink receives each finished Frame. It may read the frame only until WriteFrame returns.
type Sink = measure.Sink

// Origin identifies the frames that belong together: those of one run of a program, by one clock.
type Origin = measure.Origin

// ZoneID is a zone's index in Frame.Zones, LaneID a lane's number, NodeID the number of a node of the call tree.
type (
	ZoneID = measure.ZoneID
	LaneID = measure.LaneID
	NodeID = measure.NodeID
)

// ZoneInfo describes a zone: its name, place and kind. Zone 0 is the root: the time outside every other zone.
type ZoneInfo = measure.ZoneInfo

// ZoneBudget is the time that a zone may take in a frame, including its callees.
type ZoneBudget = measure.ZoneBudget

// LaneFrame is the part of one lane in a frame. Its first node is the root, and a parent precedes its children.
type LaneFrame = measure.LaneFrame

// Node holds the sums of one distinct stack of zones in a frame, and NodeExtra the rare ones.
type (
	Node      = measure.Node
	NodeExtra = measure.NodeExtra
)

// Estimated tells whether a node's time is an estimate: see SetOverheadLimit. Its method Sign returns "" or "~".
type Estimated = measure.Estimated

// The kinds of estimates.
const (
	EstimatedNone = measure.EstimatedNone
	EstimatedTime = measure.EstimatedTime
)

// Event is the beginning or the end of a scope.
type Event = measure.Event

// Calls holds the durations of single calls of one distinct stack of zones: see AppendCalls.
type Calls = measure.Calls

// SlowCall is a call that took far longer than usual for its zone, and CallPart the time of a callee in it.
type (
	SlowCall = measure.SlowCall
	CallPart = measure.CallPart
)

// CounterInfo describes a count or a level, and CounterValue has its value in a frame.
type (
	CounterInfo  = measure.CounterInfo
	CounterValue = measure.CounterValue
)

// MarkInfo is one call of Mark: something happened in the program at that moment.
type MarkInfo = measure.MarkInfo

// SectionInfo is the section of a frame. The zero value is no section.
type SectionInfo = measure.SectionInfo

// Remark is one call of Scope.Text or Scope.Value.
type Remark = measure.Remark

// LaneState is the scheduler's state of a lane's goroutine in a stretch of time: it ran, or it waited.
type LaneState = measure.LaneState

// StateKind is a kind of state. Its method String returns words such as "waiting".
type StateKind = measure.StateKind

// The kinds of states. The last three may apply to the whole program.
const (
	StateRunning  = measure.StateRunning  // on a processor
	StateRunnable = measure.StateRunnable // waiting for a processor
	StateWaiting  = measure.StateWaiting  // for LaneState.Reason
	StateSyscall  = measure.StateSyscall  // in a system call, or in C
	StateAssist   = measure.StateAssist   // working for the garbage collector
	StateMarking  = measure.StateMarking  // the garbage collector marked
	StateStopped  = measure.StateStopped  // the runtime stopped the world
	StateGone     = measure.StateGone     // no goroutine ran: the process was stopped
)

// Away is the part of a frame in which the goroutine that ended it was ready to run, and had no processor. AwayKnown
// says how well it is known.
type (
	Away      = measure.Away
	AwayKnown = measure.AwayKnown
)

// The ways in which a time away is known: not at all, as a bound, exactly.
const (
	AwayUnknown = measure.AwayUnknown
	AwayAtMost  = measure.AwayAtMost
	AwayExact   = measure.AwayExact
)

// MemoryFrame holds the Go heap's figures for a frame. They are 0 in modes below MemoryHeapPerFrame.
type MemoryFrame = measure.MemoryFrame

// MemoryMode chooses how much of the program's memory use is measured. Each mode includes the ones before it. Its
// method String returns off, own, frame or zone.
type MemoryMode = measure.MemoryMode

// The memory modes, from the cheapest. A program starts with MemoryHeapPerFrame.
const (
	MemoryOff          = measure.MemoryOff          // nothing: Alloc and Free return at once
	MemoryOwn          = measure.MemoryOwn          // the calls of Alloc and Free, by zone
	MemoryHeapPerFrame = measure.MemoryHeapPerFrame // and the Go heap, by frame
	MemoryHeapPerZone  = measure.MemoryHeapPerZone  // and the Go heap by zone, about
)

// Misuse counts the host's mistakes since start, and Dropped the omissions because of limits. Neither does harm.
type (
	Misuse  = measure.Misuse
	Dropped = measure.Dropped
)

// Limits limit the memory for measuring: the numbers of lanes, nodes, zones, names and counters, and the bytes of all.
// A field not above 0 means the default.
type Limits = measure.Limits

// MemoryUse is the memory for measuring, in bytes. Its method Total returns the sum.
type MemoryUse = measure.MemoryUse
