package measure

import (
	"strings"
	"time"

	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// OfProfiler reports whether a zone of this name is one of the profiler's own.
func OfProfiler(zone string) bool { return strings.HasPrefix(zone, "iprof ") }

// ZoneID is a zone's index in Frame.Zones. It is dense, starts at 0, and stays the same while the process runs. Zone 0
// is the root of every lane.
type ZoneID int32

// LaneID is a lane's number. It is never reused in a process. In a Frame, 0 is the lane "(earlier goroutines)". In a
// view, 0 stands for all lanes merged.
type LaneID uint64

// NodeID is the number of a node of the call tree. It is dense, and stays the same while the node is kept. Later
// another stack may get the number, so compare Zone and Parent, too.
type NodeID uint32

// CopyName returns a copy of a name as the profiler keeps it. It cuts a name longer than 1,024 bytes between two
// characters, and appends "…". The copy does not keep a larger text alive. Any goroutine may call it.
func CopyName(name string) string { return strings.Clone(sites.Cut(name)) }

// incomparable keeps a struct from being compared with ==. Every program has code to compare each struct that can be.
type incomparable [0]func()

// MemoryFrame holds the Go heap's figures for a frame, from runtime/metrics. They are 0 in modes below
// MemoryHeapPerFrame.
type MemoryFrame struct {
	_                        incomparable
	AllocBytes, AllocObjects uint64         // allocated during the frame
	HeapLive                 uint64         // bytes in live objects at its end
	Cycles                   uint32         // garbage collections that ended in it
	Pause                    time.Duration  // their stop-the-world pauses
	Assist                   time.Duration  // sum of the work of allocating goroutines for them
	RunQueue, LockWait       time.Duration  // estimated waits of all goroutines for a processor, for locks; 0 for 2 ms
	Mode                     MemoryMode     // the mode in which the frame was measured
	Cost                     platform.Ticks // time of these readings
}

// Away is the part of a frame in which the goroutine that ended it was ready to run, and its OS thread had no
// processor, because the system had given it to other threads. The wait of a goroutine in Go's own queue is not part of
// it.
type Away struct {
	Time  time.Duration // from 0 to the length of the frame
	Known AwayKnown
}

// AwayKnown says how well a time away is known.
type AwayKnown uint8

// The ways in which a time away is known.
const (
	AwayUnknown AwayKnown = iota // not at all: the system does not report it, or the frame was too short to read it
	AwayAtMost                   // a bound: part of Time may be of earlier frames, or of other goroutines
	AwayExact
)

// DisturbedShare is the share of a frame away above which the frame is disturbed: its times are the machine's, too.
const DisturbedShare = 0.1

// Disturbed reports whether more than a tenth of the frame was away.
func (f *Frame) Disturbed() bool {
	return f.Away.Known != AwayUnknown &&
		f.Away.Time.Seconds()*f.TicksPerSecond > DisturbedShare*float64(f.End-f.Begin)
}

// MaxMarks limits the marks of one frame.
const MaxMarks = 256

// MarkInfo is one call of Mark: something happened in the program at that moment.
type MarkInfo struct {
	Time platform.Ticks // on the clock of package platform
	Lane LaneID         // of the goroutine that called Mark; 0 if it had no lane
	Text string         // any bytes, at most 1,024
}

// SectionInfo is the section of a frame: see Section. The zero value is no section.
type SectionInfo struct {
	Number uint64 // above 0, rises from section to section
	Name   string // any bytes, at most 1,024
}

// MaxRemarks limits the remarks of one frame, and MaxRemarkBytes their texts, in bytes.
const (
	MaxRemarks     = 4096
	MaxRemarkBytes = 256 << 10
)

// Remark is one call of Scope.Text or Scope.Value. Its scope is the one open at Time on the lane's Level.
type Remark struct {
	Time   platform.Ticks // on the clock of package platform
	Lane   LaneID
	Zone   ZoneID
	Level  int32   // number of scopes that enclose the scope, as Event.Level
	Valued bool    // a value; else a text
	Value  float64 // 0 for a text
	Text   string  // any bytes, at most 1,024; "" for a value
}

// MaxSlowCalls limits the slow calls of one frame, and MaxCallParts the parts of each.
const (
	MaxSlowCalls = 64
	MaxCallParts = 32
)

// SlowCall is a call longer than twice the third quartile of its zone's calls: see Zone.SetPerCall. The first calls of
// a zone are not judged.
type SlowCall struct {
	Zone       ZoneID
	Lane       LaneID
	Begin, End platform.Ticks // on the clock of package platform
	Usual      platform.Ticks // about the median of the zone's calls
	Parts      []CallPart     // callers first; read only
}

// CallPart is the time of a callee zone in a slow call, at least a sixteenth of the call. Zones with counted calls have
// no parts below them, and neither have zones among very many siblings.
type CallPart struct {
	Zone  ZoneID
	Level int32          // number of zones between the part and the call
	Count uint32         // entries
	Time  platform.Ticks // including callees
}

// MaxStates limits the states of one frame.
const MaxStates = 4096

// LaneState is the scheduler's state of a lane's goroutine in a stretch of time: it ran, or it waited. Package wait
// reports some states, Go's execution trace all.
type LaneState struct {
	Lane       LaneID // 0: the whole program
	Kind       StateKind
	Begin, End platform.Ticks // on the clock of package platform
	Reason     string         // cause of the wait, such as "mutex"; any text, as the other strings
	Place      string         // of the wait: "world.go:42", "" if unknown
	Waker      LaneID         // the lane that ended the wait or made this one, 0 if unknown or not a lane
	By         string         // the function that ended the wait, "" if unknown
	At         string         // the place that ended the wait: "world.go:88", "" if unknown
}

// Reasons of a StateGone that the machine caused, not a goroutine of the program. Its length is approximate, and its
// place within the frame is unknown.
const (
	ReasonStolen    = "the hypervisor gave the processor to others"
	ReasonThrottled = "the CPU quota was used up"
)

// Reasons of waits that the program chose. A system call for the display has ReasonDisplay, too.
const (
	ReasonSleep   = "sleep"   // time.Sleep
	ReasonTimer   = "timer"   // a receive or a select that a timer or ticker ended
	ReasonDisplay = "display" // vertical sync
)

// Chosen reports whether a state is a wait that the program chose.
func Chosen(s *LaneState) bool {
	return s.Kind == StateWaiting && (s.Reason == ReasonSleep || s.Reason == ReasonTimer) ||
		s.Kind == StateSyscall && s.Reason == ReasonDisplay
}

// OfMachine reports whether the reason of the state is the machine.
func (s *LaneState) OfMachine() bool {
	return s.Kind == StateGone && (s.Reason == ReasonStolen || s.Reason == ReasonThrottled)
}

// StateKind is a kind of state.
type StateKind uint8

// The kinds of states. The last three may apply to the whole program.
const (
	StateRunning  StateKind = iota // on a processor
	StateRunnable                  // waiting for a processor
	StateWaiting                   // for Reason
	StateSyscall                   // in a system call, or in C
	StateAssist                    // working for the garbage collector
	StateMarking                   // the garbage collector marked
	StateStopped                   // the runtime stopped the world
	StateGone                      // no goroutine ran: the process was stopped
	NumStateKinds = iota
)

// String returns words such as "waiting". A value out of range is "gone".
func (k StateKind) String() string {
	return [...]string{"running", "waiting for a processor", "waiting", "in a system call",
		"working for the collector", "collector marking", "world stopped", "process stopped"}[min(k, StateGone)]
}
