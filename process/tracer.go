package process

import (
	"errors"
	"strconv"
)

// Tracer starts and stops the program's execution trace, which says why goroutines do not run. Module exectrace has
// one. Any goroutine may call its methods.
type Tracer interface {
	Tracing() Tracing         // called with the session locked: it must not call it
	SetTracing(on bool) error // the error says what is in the way
}

// Tracing is the state of an execution trace, and what it costs the running program, as measured in it.
type Tracing struct {
	On       bool
	Measured bool    // the numbers below are known: a second after the start
	Events   float64 // a second
	PerEvent float64 // ns of processor time that writing an event takes
	Reading  float64 // share of a processor that reading the events takes, since the start
}

// Share is the share of a processor that writing and reading the events takes: 0.02 is 2 percent.
func (t Tracing) Share() float64 { return t.Events*t.PerEvent*1e-9 + t.Reading }

// String returns a line such as "execution trace on: it takes 1.9 % of a processor, for 80000 events a second".
func (t Tracing) String() string {
	switch {
	case !t.On:
		return "execution trace off"
	case !t.Measured:
		return "execution trace on: what it costs is measured in a second"
	}
	b := strconv.AppendFloat([]byte("execution trace on: it takes "), 100*t.Share(), 'f', 1, 64)
	b = strconv.AppendFloat(append(b, " % of a processor, for "...), t.Events, 'f', 0, 64)
	return string(append(b, " events a second"...))
}

// SetTracer sets what starts and stops the execution trace, or nil. The command trace of the viewer and the console
// uses it. Any goroutine may call SetTracer.
func (s *Session) SetTracer(t Tracer) {
	s.change()
	defer s.mu.Unlock()
	s.tracing = t
}

// tracer returns what SetTracer set. It is called without the session's lock: it may call the session.
func (s *Session) tracer() Tracer {
	s.lock()
	defer s.mu.Unlock()
	return s.tracing
}

// errNoTracer is the error of a program without the module.
var errNoTracer = errors.New("this program cannot trace itself: it does not call exectrace.Offer(iprof.Default())")

// SetTracing starts the execution trace, or stops it. The error says what is in the way. Any goroutine may call it.
func (s *Session) SetTracing(on bool) error {
	if t := s.tracer(); t != nil {
		return t.SetTracing(on)
	}
	return errNoTracer
}

// Tracing returns the state of the execution trace. can reports whether the program has a Tracer. Any goroutine may
// call it.
func (s *Session) Tracing() (state Tracing, can bool) {
	s.lock()
	defer s.mu.Unlock()
	if s.tracing == nil {
		return Tracing{}, false
	}
	return s.tracing.Tracing(), true
}
