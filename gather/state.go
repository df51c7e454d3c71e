package gather

import "example.com/iprof/platform"

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
