package gather

import (
	"strings"
	"time"

	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/platform"
)

// ZoneID is a zone's index in Frame.Zones. It is dense, starts at 0, and stays the same while the process runs. Zone 0
// is the root of every lane.
type ZoneID int32

// LaneID is a lane's number. It is never reused in a process. In a Frame, 0 is the lane "(earlier goroutines)". In a
// view, 0 stands for all lanes merged.
type LaneID uint64

// NodeID is the number of a node of the call tree. It is dense, and stays the same while the node is kept. Then
// another stack may get it, so compare Zone and Parent too.
type NodeID uint32

// CopyName returns a copy of a name as the profiler keeps it. A name longer than 1,024 bytes is cut between two
// characters, and then ends in "…". The copy does not keep the text that it was sliced from. Any goroutine may call
// it.
func CopyName(name string) string { return strings.Clone(sites.Cut(name)) }

// MemoryFrame has the Go heap's figures for a frame, from runtime/metrics. Below MemoryHeapPerFrame, all are 0.
type MemoryFrame struct {
	AllocBytes, AllocObjects uint64         // allocated during the frame
	HeapLive                 uint64         // bytes in live objects when it ended
	Cycles                   uint32         // garbage collections that ended in it
	Pause                    time.Duration  // their stop-the-world pauses
	Assist                   time.Duration  // what goroutines that allocated worked for them, added up
	RunQueue, LockWait       time.Duration  // of all goroutines for a processor, for locks; 0 before 2 ms are full
	Mode                     MemoryMode     // the mode in which the frame was measured
	Cost                     platform.Ticks // the time that these readings took
}

// MostMarks bounds the marks of one frame.
const MostMarks = 256

// MarkInfo is one call of Mark: something happened in the program at that moment.
type MarkInfo struct {
	Time platform.Ticks // on the clock of package platform
	Lane LaneID         // of the goroutine that called Mark; 0 if it had no lane
	Text string         // any bytes, at most 1,024
}

// SectionInfo is the section that a frame is of: see Section. The zero value is none.
type SectionInfo struct {
	Number uint64 // rises from each section of the run to the next, above 0
	Name   string // any bytes, at most 1,024
}

// MostRemarks bounds the remarks of one frame, and MostRemarkBytes their texts, in bytes.
const (
	MostRemarks     = 4096
	MostRemarkBytes = 256 << 10
)

// Remark is one call of Scope.Text or Scope.Value. Its scope is the one that is open at Time on Level of the lane.
type Remark struct {
	Time   platform.Ticks // on the clock of package platform
	Lane   LaneID
	Zone   ZoneID
	Level  int32   // number of scopes around the scope, as Event.Level
	Valued bool    // it is a value, else a text
	Value  float64 // 0 for a text
	Text   string  // any bytes, at most 1,024; "" for a value
}

// MostSlowCalls bounds the slow calls that one frame brings, and MostCallParts the parts of each.
const (
	MostSlowCalls = 64
	MostCallParts = 32
)

// SlowCall is a call that took more than twice as long as three quarters of its zone's calls: see Zone.SetPerCall. The
// first calls of a zone have nothing to compare them with.
type SlowCall struct {
	Zone       ZoneID
	Lane       LaneID
	Begin, End platform.Ticks // on the clock of package platform
	Usual      platform.Ticks // about half of the zone's calls take no longer
	Parts      []CallPart     // callers first; read only
}

// CallPart is what a zone took in a call of another that called it, at least a sixteenth of the call. Zones that are
// counted themselves have no parts below them, and neither have zones among very many siblings.
type CallPart struct {
	Zone  ZoneID
	Level int32          // number of zones between it and the call
	Count uint32         // entries
	Time  platform.Ticks // with all that it called
}

// MostStates bounds the states that one frame brings.
const MostStates = 4096

// LaneState is what a lane's goroutine did in a stretch of time, for the scheduler: it ran, or it waited. Package wait
// knows some, Go's execution trace all.
type LaneState struct {
	Lane       LaneID // 0: the whole program
	Kind       StateKind
	Begin, End platform.Ticks // on the clock of package platform
	Reason     string         // for what it waited, such as "mutex"; any text, as all of these
	Place      string         // where it waited: "world.go:42", "" if not known
	Waker      LaneID         // the lane that ended the wait, 0 if it is not known or has no lane
	By         string         // the function that ended the wait, "" if it is not known
	At         string         // the place that ended the wait: "world.go:88", "" if it is not known
}

// Reasons of a StateGone that the machine tells: no goroutine of the program is to blame. The time is about so long,
// and somewhere in the frame.
const (
	ReasonStolen    = "the hypervisor gave the processor to others"
	ReasonThrottled = "the CPU quota was used up"
)

// OfMachine reports whether the machine took the time away, as its reason says.
func (s *LaneState) OfMachine() bool {
	return s.Kind == StateGone && (s.Reason == ReasonStolen || s.Reason == ReasonThrottled)
}

// StateKind is a kind of state.
type StateKind uint8

// The kinds of states. The last three may be of the whole program.
const (
	StateRunning  StateKind = iota // on a processor
	StateRunnable                  // it wanted a processor and had none
	StateWaiting                   // for Reason
	StateSyscall                   // in a system call, or in C
	StateAssist                    // it worked for the garbage collector
	StateMarking                   // the garbage collector marked
	StateStopped                   // the runtime stopped the world
	StateGone                      // no goroutine did anything: the process was stopped
	NumStateKinds = iota
)

// String returns words such as "waiting". A value out of range is "gone".
func (k StateKind) String() string {
	return [...]string{"running", "waiting for a processor", "waiting", "in a system call",
		"working for the collector", "collector marking", "world stopped", "process stopped"}[min(k, StateGone)]
}
