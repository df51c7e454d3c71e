package report

import (
	"strconv"
	"time"
)

// Tracing is the state of an execution trace, and what it costs the running program, as measured in it.
type Tracing struct {
	On       bool
	Measured bool          // the numbers below are known: a second after the start
	Events   float64       // a second
	PerEvent float64       // ns of processor time that writing an event takes
	Reading  float64       // share of a processor that reading the events takes, since the start
	Every    time.Duration // states are taken so often; 0: at a pause and after slow frames only
}

// Share is the share of a processor that writing and reading the events takes: 0.02 is 2 percent.
func (t Tracing) Share() float64 { return t.Events*t.PerEvent*1e-9 + t.Reading }

// String returns a line such as "execution trace on: it takes 1.9 % of a processor, for 80000 events a second". It ends
// with "; states every 500ms" if they are taken so often.
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

// Tracer starts and stops the program's execution trace, which says why goroutines do not run. Module exectrace has
// one. Any goroutine may call its methods.
type Tracer interface {
	Tracing() Tracing         // called with the session locked: it must not call it
	SetTracing(on bool) error // the error says what is in the way
}

// StateTaker is a Tracer that knows what goroutines did while it traces. Any goroutine may call its methods.
type StateTaker interface {
	Tracer
	TakeStates() error // gives the session the states of the last seconds; the error says what is in the way
	// TakeStatesEvery does it again and again. It raises a time that is too short; 0 or less stops it.
	TakeStatesEvery(time.Duration) error
}
