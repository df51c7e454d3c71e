package report

import (
	"strconv"
	"time"
)

// Tracing is the state of an execution trace, and its cost, measured in the running program.
type Tracing struct {
	_ [0]func() // not comparable: the code of == would be in each program

	On       bool
	Measured bool          // the numbers below are known, from a second after the start on
	Events   float64       // events per second
	PerEvent float64       // processor time to write an event, ns
	Reading  float64       // share of a processor that reads the events, since the start
	Every    time.Duration // interval at which states are taken; 0: only at a pause and after slow frames
}

// Share returns the share of a processor that writing and reading the events takes: 0.02 is 2 percent.
func (t Tracing) Share() float64 { return t.Events*t.PerEvent*1e-9 + t.Reading }

// String returns a line such as "execution trace on: it takes 1.9 % of a processor, for 80000 events a second". If
// states are taken at an interval, it ends with "; states every 500ms".
func (t Tracing) String() string {
	b := []byte("execution trace on: what it costs is measured in a second")
	switch {
	case !t.On:
		return "execution trace off"
	case t.Measured:
		b = strconv.AppendFloat([]byte("execution trace on: it takes "), 100*t.Share(), 'f', 1, 64)
		b = strconv.AppendFloat(append(b, " % of a processor, for "...), t.Events, 'f', 0, 64)
		b = append(b, " events a second"...)
	}
	if t.Every > 0 {
		b = append(append(b, "; states every "...), t.Every.String()...)
	}
	return string(b)
}

// Tracer starts and stops the program's execution trace, which shows why goroutines do not run. Module exectrace has
// one. Any goroutine may call its methods.
type Tracer interface {
	Tracing() Tracing         // called with the session locked: it must not call the session
	SetTracing(on bool) error // the error gives the reason if it cannot
}

// StateTaker is a Tracer that can give the session the states of goroutines. Any goroutine may call its methods.
type StateTaker interface {
	Tracer
	TakeStates() error // gives the session the states of the last seconds; the error gives the reason if it cannot
	// TakeStatesEvery takes states at an interval. It raises an interval that is too short; 0 or less stops it.
	TakeStatesEvery(time.Duration) error
}
