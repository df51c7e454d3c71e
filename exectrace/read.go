package exectrace

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"golang.org/x/exp/trace"
)

// Read reads an execution trace of Go 1.22 or newer: of a runtime/trace.FlightRecorder, of runtime/trace.Start, or of
// capture.Reader.WriteTrace. With numbers of goroutines it keeps the states of these and of the whole program only. The
// error is in's, or says that the trace is not whole; the states before the damage are returned with it.
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
	for {
		e, err := r.ReadEvent()
		if err != nil {
			p.finish()
			if errors.Is(err, io.EOF) {
				return p.states, nil
			}
			return p.states, fmt.Errorf("exectrace: %w", err)
		}
		p.event(&e)
	}
}

// reader makes states of events.
type reader struct {
	states  *States
	only    map[uint64]bool // nil: all
	open    map[uint64]*State
	assists map[uint64]int   // by goroutine: work for the collector under way
	stops   map[string]int64 // by name: ranges of the whole program under way
	running int              // goroutines
	last    int64            // time of the event before
	count   int
}

func (p *reader) event(e *trace.Event) {
	s, now := p.states, int64(e.Time())
	if s.Events++; s.Events == 1 {
		s.Begin, p.last = now, now
	}
	if p.running > 0 && now-p.last >= leastStop {
		p.add(State{Kind: gather.StateGone, Begin: p.last, End: now, Reason: "no event of any goroutine"})
	}
	p.last, s.End = now, now
	switch e.Kind() {
	case trace.EventSync:
		s.clock.sync(e.Sync().ClockSnapshot)
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

// leastStop is the time without an event, while a goroutine runs, from which on the process counts as stopped. The
// runtime interrupts a goroutine every 10 ms, which is an event.
const leastStop = 40e6

// transition ends a goroutine's state and begins the next.
func (p *reader) transition(e *trace.Event, now int64) {
	t := e.StateTransition()
	if t.Resource.Kind != trace.ResourceGoroutine {
		return
	}
	g := uint64(t.Resource.Goroutine())
	from, to := t.Goroutine()
	if q := p.open[g]; q != nil {
		if q.End = now; from == trace.GoWaiting && to == trace.GoRunnable {
			p.woken(q, e, g)
		}
		p.close(q)
	}
	if from == trace.GoRunning {
		p.running--
	}
	if to == trace.GoRunning {
		p.running++
	}
	if to == trace.GoNotExist {
		delete(p.assists, g)
		return
	}
	if to == trace.GoUndetermined || p.only != nil && !p.only[g] {
		return
	}
	q := &State{Goroutine: g, Kind: p.kindOf(g, to), Begin: now}
	if q.Kind == gather.StateWaiting {
		q.Reason = reasonOf(t.Reason)
	}
	if q.Kind == gather.StateWaiting || q.Kind == gather.StateSyscall {
		_, q.Place = top(t.Stack)
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
func reasonOf(reason string) string {
	switch reason {
	case "sync":
		return "mutex or other lock"
	case "sync.(*Cond).Wait":
		return "condition"
	case "GC mark assist wait for work":
		return "collector assist"
	}
	return reason
}

// woken notes who ended a wait.
func (p *reader) woken(q *State, e *trace.Event, g uint64) {
	if by := e.Goroutine(); by != trace.NoGoroutine && uint64(by) != g {
		q.Waker = uint64(by)
	}
	q.By, q.At = top(e.Stack())
}

// begin begins a range: work of a goroutine for the collector, or something of the whole program.
func (p *reader) begin(e *trace.Event, now int64) {
	r := e.Range()
	kind, reason := rangeOf(r.Name)
	switch g := scopeOf(e, &r); {
	case kind == gather.StateAssist && g != 0:
		p.assists[g]++
		p.turn(g, gather.StateRunning, gather.StateAssist, reason, now)
	case kind == gather.StateStopped || kind == gather.StateMarking:
		if _, known := p.stops[r.Name]; !known {
			p.stops[r.Name] = now
		}
	}
}

// end ends a range.
func (p *reader) end(e *trace.Event, now int64) {
	r := e.Range()
	kind, reason := rangeOf(r.Name)
	switch g := scopeOf(e, &r); {
	case kind == gather.StateAssist && g != 0:
		if p.assists[g]--; p.assists[g] <= 0 {
			delete(p.assists, g)
			p.turn(g, gather.StateAssist, gather.StateRunning, "", now)
		}
	case kind == gather.StateStopped || kind == gather.StateMarking:
		if begin, known := p.stops[r.Name]; known {
			p.add(State{Kind: kind, Begin: begin, End: now, Reason: reason})
			delete(p.stops, r.Name)
		}
	}
}

// scopeOf returns the goroutine of a range, 0 for none.
func scopeOf(e *trace.Event, r *trace.Range) uint64 {
	g := e.Goroutine()
	if r.Scope.Kind == trace.ResourceGoroutine {
		g = r.Scope.Goroutine()
	}
	if g == trace.NoGoroutine {
		return 0
	}
	return uint64(g)
}

// rangeOf returns the kind of a range, and the reason. StateRunning stands for ranges that are no states.
func rangeOf(name string) (kind gather.StateKind, reason string) {
	switch {
	case strings.HasPrefix(name, "stop-the-world"):
		return gather.StateStopped, strings.Trim(strings.TrimPrefix(name, "stop-the-world"), " ()")
	case name == "GC concurrent mark phase":
		return gather.StateMarking, ""
	case name == "GC mark assist":
		return gather.StateAssist, "mark assist"
	case name == "GC incremental sweep":
		return gather.StateAssist, "sweep"
	}
	return gather.StateRunning, ""
}

// turn ends a goroutine's state, if it is of a kind, and goes on with another.
func (p *reader) turn(g uint64, from, to gather.StateKind, reason string, now int64) {
	q := p.open[g]
	if q == nil || q.Kind != from {
		return
	}
	q.End = now
	p.close(q)
	p.open[g] = &State{Goroutine: g, Kind: to, Begin: now, Reason: reason}
}

// close adds a goroutine's state, which is no longer open.
func (p *reader) close(q *State) {
	delete(p.open, q.Goroutine)
	p.add(*q)
}

func (p *reader) add(q State) {
	if q.End <= q.Begin {
		return
	}
	if p.count++; p.count > MostStates {
		p.states.Lost++
		return
	}
	p.states.states[q.Goroutine] = append(p.states.states[q.Goroutine], q)
}

// finish ends what is open at the end of the trace.
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

// top returns the innermost function of a stack that is not the runtime's, and its line.
func top(s trace.Stack) (function, line string) {
	for f := range s.Frames() {
		function, line = f.Func, filepath.Base(f.File)+":"+strconv.FormatUint(f.Line, 10)
		if !isRuntime(f.Func) {
			return function, line
		}
	}
	return function, line
}

// isRuntime reports whether a function belongs to what waits and wakes on behalf of others.
func isRuntime(function string) bool {
	for _, p := range [...]string{"runtime.", "sync.", "internal/", "syscall.", "golang.org/x/sys/", "os.", "time.",
		"example.com/iprof/wait."} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
