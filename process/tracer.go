package process

import (
	"errors"
	"sync"
	"time"

	"example.com/iprof/process/report"
)

// Tracers is the part of a Session that holds the program's Tracer. Its zero value is ready. Any goroutine may call its
// methods.
type Tracers struct {
	mu     sync.Mutex
	tracer report.Tracer
}

// SetTracer sets the Tracer, which starts and stops the execution trace, or nil. The command trace of the viewer and
// the console uses it. Any goroutine may call SetTracer.
func (s *Tracers) SetTracer(t report.Tracer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tracer = t
}

// now returns the Tracer, which may call the session.
func (s *Tracers) now() report.Tracer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tracer
}

// errNoTracer is the error of a program without the module.
var errNoTracer = errors.New("this program cannot trace itself: it does not call exectrace.Offer(iprof.Default())")

// SetTracing starts or stops the execution trace. The error gives the reason if it cannot. Any goroutine may call it.
func (s *Tracers) SetTracing(on bool) error {
	if t := s.now(); t != nil {
		return t.SetTracing(on)
	}
	return errNoTracer
}

// Tracing returns the state of the execution trace. can reports whether the program has a Tracer. Any goroutine may
// call it.
func (s *Tracers) Tracing() (state report.Tracing, can bool) {
	if t := s.now(); t != nil {
		return t.Tracing(), true
	}
	return report.Tracing{}, false
}

// TakeStates makes the program's Tracer give the session the states of goroutines in the last seconds, as at a pause.
// It waits for them, about a microsecond for each event of these seconds. The error gives the reason if it cannot. Any
// goroutine may call it.
func (s *Tracers) TakeStates() error {
	taker, err := s.stateTaker()
	if err != nil {
		return err
	}
	return taker.TakeStates()
}

// TakeStatesEvery makes the Tracer do the same as TakeStates once every d while frames run. A shorter time than the
// Tracer allows is raised to its minimum; module exectrace allows four times a second. 0 or less stops it, which is the
// default. Tracing returns the cost. The error gives the reason if it cannot. Any goroutine may call it.
func (s *Tracers) TakeStatesEvery(d time.Duration) error {
	taker, err := s.stateTaker()
	if err != nil {
		return err
	}
	return taker.TakeStatesEvery(d)
}

// errNoStates is the error of a program whose Tracer knows no states.
var errNoStates = errors.New("what traces this program has no states of goroutines")

func (s *Tracers) stateTaker() (report.StateTaker, error) {
	switch t := s.now().(type) {
	case nil:
		return nil, errNoTracer
	case report.StateTaker:
		return t, nil
	}
	return nil, errNoStates
}
