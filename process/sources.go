package process

import (
	"errors"
	"fmt"
	"time"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Sources are what a session has besides its frames. A field that is nil or zero is not known. The methods of the
// values are called with the session locked and must not call the session, except for those of Tracer that change
// something.
type Sources struct {
	Program report.Program        // where the frames of WriteFrame come from; zero: the running program
	Tracer  report.Tracer         // starts and stops the execution trace: see package exectrace
	Sampler HotSource             // samples the program: see package exectrace
	Hot     *report.HotZones      // hot lines of another program, shown while Sampler has none
	Events  timeline.EventSource  // of timelines; nil: the running program's session reads package gather
	Calls   CallSource            // durations of single calls, in a session that WriteFrame feeds
	Set     string                // the name of a session of Frames; "" for others; read only
	Sets    []*Session            // the program's own and those of Frames, in such a session; read only
	Spawns  func() []report.Spawn // the program's go statements, for Dump.Spawns; called on any goroutine

	Goroutines report.GoroutineSource // surveys the program's goroutines when somebody asks
	Survey     *report.Goroutines     // of another program, shown while Goroutines has none

	Allocated fmt.Stringer // the newest traced allocations, an *allocated.Table

	// Count asks the measured program to count the calls of a zone until release is called, in a session that
	// WriteFrame feeds: see View.WantCalls.
	Count func(zone report.ZoneID) (release func())
}

// SetSources changes the sources with a function, which must not call the session. Any goroutine may call it.
func (s *Session) SetSources(change func(c *Sources)) {
	s.change()
	defer s.mu.Unlock()
	c := s.sourcesNow()
	change(&c)
	s.store.Feed.Source, s.store.Feed.Count = c.Calls, c.Count
	s.store.Calls.Asked = false
	s.store.Timeline.Speak().SetSource(c.Events)
	s.sources = c
	s.sources.bring(&s.store)
	s.store.Said = c.Program.Kind
	s.store.FindKind()
}

// Sources returns the sources. Any goroutine may call it.
func (s *Session) Sources() Sources {
	s.lock()
	defer s.mu.Unlock()
	return s.sourcesNow()
}

// sourcesNow returns the sources. The session is locked.
func (s *Session) sourcesNow() Sources {
	c := s.sources
	c.Calls, c.Count, c.Events = s.store.Feed.Source, s.store.Feed.Count, s.store.Timeline.Source
	c.Set, c.Sets = s.store.Set, nil
	if isOurs(s) {
		c.Sets = allSets()
	}
	return c
}

// surveyed returns the latest survey of goroutines, nil if there is none. It does not wait.
func (c Sources) surveyed() *report.Goroutines {
	if c.Goroutines != nil {
		if g := c.Goroutines.Last(); g != nil {
			return g
		}
	}
	return c.Survey
}

// errNoTracer is the error of a program without the module.
var errNoTracer = errors.New("this program cannot trace itself: it does not call exectrace.Offer(iprof.Default())")

// SetTracing starts or stops the execution trace. The error gives the reason if it cannot. Any goroutine may call it.
func (c Sources) SetTracing(on bool) error {
	if c.Tracer != nil {
		return c.Tracer.SetTracing(on)
	}
	return errNoTracer
}

// Tracing returns the state of the execution trace. can reports whether the program has a Tracer. Any goroutine may
// call it.
func (c Sources) Tracing() (state report.Tracing, can bool) {
	if c.Tracer != nil {
		return c.Tracer.Tracing(), true
	}
	return report.Tracing{}, false
}

// TakeStates makes the Tracer give the session the states of goroutines in the last seconds, as at a pause. It waits
// for them, about a microsecond for each event of these seconds. The error gives the reason if it cannot. Any goroutine
// may call it.
func (c Sources) TakeStates() error {
	taker, err := c.stateTaker()
	if err != nil {
		return err
	}
	return taker.TakeStates()
}

// TakeStatesEvery makes the Tracer do the same as TakeStates once every d while frames run. A shorter time than the
// Tracer allows is raised to its minimum; module exectrace allows four times a second. 0 or less stops it, which is the
// default. Tracing returns the cost. The error gives the reason if it cannot. Any goroutine may call it.
func (c Sources) TakeStatesEvery(d time.Duration) error {
	taker, err := c.stateTaker()
	if err != nil {
		return err
	}
	return taker.TakeStatesEvery(d)
}

// errNoStates is the error of a program whose Tracer knows no states.
var errNoStates = errors.New("what traces this program has no states of goroutines")

func (c *Sources) stateTaker() (report.StateTaker, error) {
	switch t := c.Tracer.(type) {
	case nil:
		return nil, errNoTracer
	case report.StateTaker:
		return t, nil
	}
	return nil, errNoStates
}
