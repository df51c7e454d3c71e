package gather

import (
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// Enabled is false in programs built with the tag iprof_off, which measure nothing.
const Enabled = measure.Enabled

// Zone is a public zone: a variable that marks code with one purpose. Its methods are Begin, In, Span, Hold, Live, ID,
// SetMuted and SetPerCall. Package iprof has the same type.
type Zone = measure.Zone

// Scope is one open entry of a zone. Its methods are End, Text and Value.
type Scope = measure.Scope

// Held is an entry that the program keeps or drops at its end: see Zone.Hold. Its methods are Keep and KeepIf.
type Held = measure.Held

// Lane is the stack of open zones of one goroutine. Its methods are ID, Name and Close.
type Lane = measure.Lane

// Register names the calling goroutine's lane and returns it: see [example.com/iprof.Register].
func Register(name string) *Lane { return measure.Register(name) }

// ForeignLane is a lane whose scopes another clock has timed, such as the commands of a GPU. Its methods are ID,
// Calibrate, Drift, Know, Wait, Add, Drop and Close.
type ForeignLane = measure.ForeignLane

// ForeignScope is one scope of a ForeignLane: Zone, Begin, End, Level and Issued.
type ForeignScope = measure.ForeignScope

// NewForeignLane makes a lane for a clock with perSecond ticks a second. Names need not be unique. It returns nil,
// which is a valid ForeignLane, beyond a limit. Any goroutine may call it.
func NewForeignLane(name string, perSecond float64) *ForeignLane {
	return measure.NewForeignLane(name, perSecond)
}

// Collect ends a frame and begins the next. It fills f with the measurements of all lanes since the last Collect, and
// reuses the memory of f. The lane of the calling goroutine comes first and is the frame's Updater. Any goroutine may
// call it, and all others go on meanwhile. A program with a session calls its Update instead.
func Collect(f *Frame) { measure.Collect(f) }

// SetEvents makes every lane keep its latest events: see [example.com/iprof.SetEvents].
func SetEvents(perLane int) { measure.SetEvents(perLane) }

// Events returns the number of events that each lane keeps: the value of SetEvents, rounded up; 0: none. Any goroutine
// may call it.
func Events() int { return measure.Events() }

// AppendEvents appends a lane's events with times from begin to end, both included, oldest first. It appends only
// events in memory: see SetEvents and EventsSince. Recently ended lanes still have events. A scope that was open at
// begin or at end may have only one of its two events in the result. For an unknown lane it appends nothing. Any
// goroutine may call it.
func AppendEvents(dst []Event, lane LaneID, begin, end platform.Ticks) []Event {
	return measure.AppendEvents(dst, lane, begin, end)
}

// EventsSince returns the time since which all events of a lane are in memory, 0 if no event was overwritten. kept is
// false if the lane keeps no events. Any goroutine may call it.
func EventsSince(lane LaneID) (since platform.Ticks, kept bool) { return measure.EventsSince(lane) }

// AppendCalls appends the durations of calls: those that Zone.SetPerCall counts, by stack, and those of the events in
// memory. Any goroutine may call it.
func AppendCalls(dst []Calls) []Calls { return measure.AppendCalls(dst) }

// SetLimits sets the limits of memory: see Limits. A field not above 0 means its default. Any goroutine may call it.
func SetLimits(l Limits) { measure.SetLimits(l) }

// MemoryUsed returns the memory that the profiler holds. Any goroutine may call it.
func MemoryUsed() MemoryUse { return measure.MemoryUsed() }

// SetMemoryMode chooses how much of the memory use is measured. A value out of range means the nearest mode. Any
// goroutine may call it.
func SetMemoryMode(m MemoryMode) { measure.SetMemoryMode(m) }

// Memory returns the mode of SetMemoryMode.
func Memory() MemoryMode { return measure.Memory() }

// SetRecording switches all measuring on or off. An open zone gets the time until recording stops, and the time after
// it starts again. Any goroutine may call it.
func SetRecording(on bool) { measure.SetRecording(on) }

// Recording reports whether zones are measured. Any goroutine may call it.
func Recording() bool { return measure.Recording() }

// SetOverheadLimit limits the cost of measuring to a share of time: see [example.com/iprof.SetOverheadLimit].
func SetOverheadLimit(share float64) { measure.SetOverheadLimit(share) }

// OverheadLimit returns the value of SetOverheadLimit, 0 for none. Any goroutine may call it.
func OverheadLimit() float64 { return measure.OverheadLimit() }
