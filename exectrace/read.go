package exectrace

import (
	"errors"
	"fmt"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"golang.org/x/exp/trace"
)

// Read reads an execution trace of Go 1.22 or newer: of a runtime/trace.FlightRecorder, of runtime/trace.Start, or of
// iprof export -format trace. With numbers of goroutines it keeps only the states of these goroutines and of the whole
// program. The error is in's, or says that the trace is damaged. With an error it also returns the states before the
// damage.
func Read(in io.Reader, goroutines ...uint64) (*States, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("exectrace: %w", err)
	}
	p := &reader{states: &States{states: map[uint64][]State{}}, open: map[uint64]*State{}, assists: map[uint64]int{},
		stops: map[string]int64{}}
	if len(goroutines) > 0 {
		p.only = map[uint64]bool{0: true}
		for _, g := range goroutines {
			p.only[g] = true
		}
	}
	err = eachEvent(r, p.event)
	if p.finish(); errors.Is(err, io.EOF) {
		return p.states, nil
	}
	return p.states, fmt.Errorf("exectrace: %w", err)
}

// eachEvent calls do with each event, until an error, which is io.EOF at the end. The library panics at some damaged
// events; eachEvent returns that as an error.
func eachEvent(r *trace.Reader, do func(e *trace.Event)) (err error) {
	defer func() {
		if damage := recover(); damage != nil {
			err = fmt.Errorf("damaged event: %v", damage)
		}
	}()
	for {
		e, err := r.ReadEvent()
		if err != nil {
			return err
		}
		do(&e)
	}
}

// reader makes states of events.
type reader struct {
	states  *States
	only    map[uint64]bool // nil: all
	open    map[uint64]*State
	assists map[uint64]int   // by goroutine: number of open ranges of work for the collector
	stops   map[string]int64 // by name: open ranges of the whole program
	ready   int              // number of running and runnable goroutines
	last    int64            // time of the previous event
	count   int
}

func (p *reader) event(e *trace.Event) {
	s, now := p.states, int64(e.Time())
	if s.Events++; s.Events == 1 {
		s.Begin, p.last = now, now
	}
	if p.ready > 0 && now-p.last >= leastStop {
		p.add(State{Kind: gather.StateGone, Begin: p.last, End: now, Reason: "no event of any goroutine"})
	}
	p.last, s.End = now, now
	switch e.Kind() {
	case trace.EventSync:
		s.clock.sync(e.Sync().ClockSnapshot)
	case trace.EventStackSample:
		p.sample(e, now)
	case trace.EventLog:
		s.clock.mark(e.Log(), now)
	case trace.EventStateTransition:
		p.transition(e, now)
	case trace.EventRangeBegin, trace.EventRangeActive:
		p.begin(e, now)
	case trace.EventRangeEnd:
		p.end(e, now)
	}
}

// leastStop is the least time without an event, while a goroutine is running or runnable, that counts as a stop of the
// process. The runtime tries to interrupt a running goroutine every 10 ms, which is an event, and gives a runnable
// goroutine a free processor at once. In a loop without calls most of these tries fail, so leastStop is ten times as
// long.
const leastStop = 100e6

// transition ends a goroutine's state and begins the next.
func (p *reader) transition(e *trace.Event, now int64) {
	t := e.StateTransition()
	if t.Resource.Kind != trace.ResourceGoroutine {
		return
	}
	g := uint64(t.Resource.Goroutine())
	from, to := t.Goroutine()
	if from == to {
		return // a trace repeats all states about once a second, without their reasons
	}
	if q := p.open[g]; q != nil {
		if q.End = now; from == trace.GoWaiting && to == trace.GoRunnable {
			p.woken(q, e, g)
		}
		p.close(q)
	}
	if from == trace.GoRunning || from == trace.GoRunnable {
		p.ready--
	}
	if to == trace.GoRunning || to == trace.GoRunnable {
		p.ready++
	}
	if to == trace.GoNotExist {
		delete(p.assists, g)
		return
	}
	if to == trace.GoUndetermined || p.only != nil && !p.only[g] {
		return
	}
	q := &State{Goroutine: g, Kind: p.kindOf(g, to), Begin: now}
	if from == trace.GoUndetermined { // since the trace began, because a change would have been an event
		q.Begin = p.states.Begin
	}
	if by := e.Goroutine(); from == trace.GoNotExist && by != trace.NoGoroutine {
		q.Waker = uint64(by)
	}
	if q.Kind == gather.StateWaiting {
		q.Reason = reasonOf(t.Reason, t.Stack)
	}
	if q.Kind == gather.StateWaiting || q.Kind == gather.StateSyscall {
		_, q.Place = top(t.Stack)
	}
	if q.Kind == gather.StateSyscall && waitsForDisplay(t.Stack) {
		q.Reason = measure.ReasonDisplay
	}
	p.open[g] = q
}

// kindOf returns the kind of a goroutine's state.
func (p *reader) kindOf(g uint64, to trace.GoState) gather.StateKind {
	switch {
	case to == trace.GoRunnable:
		return gather.StateRunnable
	case to == trace.GoWaiting:
		return gather.StateWaiting
	case to == trace.GoSyscall:
		return gather.StateSyscall
	case p.assists[g] > 0:
		return gather.StateAssist
	}
	return gather.StateRunning
}

// reasonOf returns a shorter word for a reason of the runtime.
func reasonOf(reason string, stack trace.Stack) string {
	switch reason {
	case "sync":
		return lockOf(stack)
	case "sync.(*Cond).Wait":
		return "condition"
	case "GC mark assist wait for work":
		return "collector assist"
	}
	return reason
}

// woken stores the goroutine that ended a wait.
func (p *reader) woken(q *State, e *trace.Event, g uint64) {
	if by := e.Goroutine(); by != trace.NoGoroutine && uint64(by) != g {
		q.Waker = uint64(by)
	}
	if q.By, q.At = top(e.Stack()); e.Goroutine() == trace.NoGoroutine && endedByTimer(q.Reason) {
		q.Reason = measure.ReasonTimer
	}
}

// turn ends a goroutine's state if it is of kind from, and begins a state of kind to.
func (p *reader) turn(g uint64, from, to gather.StateKind, reason string, now int64) {
	q := p.open[g]
	if q == nil || q.Kind != from {
		return
	}
	q.End = now
	p.close(q)
	p.open[g] = &State{Goroutine: g, Kind: to, Begin: now, Reason: reason}
}

// close adds a goroutine's state, which has ended.
func (p *reader) close(q *State) {
	delete(p.open, q.Goroutine)
	p.add(*q)
}

func (p *reader) add(q State) {
	if q.End <= q.Begin {
		return
	}
	if p.count++; p.count > MaxStates {
		p.states.Lost++
		return
	}
	p.states.states[q.Goroutine] = append(p.states.states[q.Goroutine], q)
}

// finish ends the states that are open at the end of the trace.
func (p *reader) finish() {
	for _, q := range p.open {
		q.End = p.states.End
		p.add(*q)
	}
	for name, begin := range p.stops {
		kind, reason := rangeOf(name)
		p.add(State{Kind: kind, Begin: begin, End: p.states.End, Reason: reason})
	}
	p.states.sorted()
}
