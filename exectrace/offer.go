package exectrace

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Offer lets the user start and stop the trace while the program runs, with the command trace of the viewer and the
// console, and trace allocations with the command allocations. These show the cost of tracing. Nothing is traced
// before. Watch does the same, and starts the trace.
//
//	exectrace.Offer(iprof.Default())
func Offer(s *process.Session) {
	s.SetSources(func(c *process.Sources) { c.Tracer = &offer{session: s} })
}

// offer is the switch of a session.
type offer struct {
	session *process.Session
	mu      sync.Mutex
	watch   atomic.Pointer[Watcher]

	allocations tracing
}

// SetTracing starts or stops a Watcher.
func (o *offer) SetTracing(on bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := o.watch.Load()
	switch {
	case on && w == nil:
		w, err := start(o.session)
		if err == nil {
			w.offer = o
			o.watch.Store(w)
		}
		return err
	case !on && w != nil:
		o.watch.Store(nil)
		w.end()
	}
	return nil
}

// errOff is the error when states are requested without a trace.
var errOff = errors.New("the execution trace is off")

// TakeStates makes the Watcher take the states.
func (o *offer) TakeStates() error {
	if w := o.watch.Load(); w != nil {
		return w.Take()
	}
	return errOff
}

// TakeStatesEvery makes the Watcher take the states at an interval. A later Watcher begins without an interval.
func (o *offer) TakeStatesEvery(d time.Duration) error {
	if w := o.watch.Load(); w != nil {
		w.TakeEvery(d)
		return nil
	}
	return errOff
}

// Tracing returns the state of the Watcher.
func (o *offer) Tracing() report.Tracing {
	if w := o.watch.Load(); w != nil {
		return w.Tracing()
	}
	return report.Tracing{}
}
